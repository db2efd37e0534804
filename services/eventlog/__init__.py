"""The log that the services share. Begin with `judge.py`: which records count; then `ports.py`: what a log promises."""
