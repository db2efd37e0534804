"""Planted mutants: does the suite bite? Each is a small fault in a copy of the engine that a named test must find."""
