"""The house rulebooks: five TOML files and what they mean. Start at `rulebook.py`; `loading.py` reads a file."""
