"""Conformance: 81,444 hands that others dealt, replayed through `decide` and `evolve`, to the chip.

Begin with `expectations.py`: it says what is demanded of a hand. `adapter.py` turns a logged hand into a table and into
commands, and explains every oddity of a source in one table; `cards.py` stacks its deck; `hands.py` reads the files;
`replay.py` plays a hand; `report.py` counts and prints. `python -m tests.conformance` shows the counts by file, of the
quick run or, with HANDS=all, of all hands.
"""
