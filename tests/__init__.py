"""The tests. A folder is a cost: all but `bench` run with `make test`. House rules: `test_tidy.py`."""
