"""Apache Kafka and its client as they are: what the tests of the log run against, and what our code relies on."""
