"""Benchmarks: `harness.py` measures, `__main__.py` finds the groups `bench_<group>.py`, runs them and reports."""
