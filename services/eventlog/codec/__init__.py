"""Between the engine's events and protobuf. Begin with `events.py`, the table of events; `shapes.py` does the work."""
