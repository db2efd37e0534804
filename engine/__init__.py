"""The pure rules: no clock, no chance, no input or output. Start at `engine/table/decide.py`."""
