"""Looking at a log from outside: `dealer log` for its records, `dealer doctor` for the machine that serves it.

Begin with `commands.py`. Everything here only reads, but for topics that `doctor --create` makes.
"""
