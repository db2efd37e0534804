"""A tournament: entries, prizes and its cancellation. `shares.py` is the one place where an amount is divided."""
