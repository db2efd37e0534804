"""Faults that are done to real processes and real brokers, and what must hold all the same."""
