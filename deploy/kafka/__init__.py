"""Apache Kafka: begin with `launch.py`, which starts it here; `compose.yaml` starts it in a container instead."""
