"""The log in Apache Kafka. Begin with `log.py`: what the dealer uses; then `process.py`: where Kafka's clients live.

Only this package imports kafka-python. What its clients are told is in `settings.py`, what their errors mean for us in
`errors.py`, each once.
"""
