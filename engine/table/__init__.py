"""A table: seats, button, blinds and the hand in progress.

Begin with `decide.py`, the rules. `commands.py` is what a table can be asked, `events.py` what it says, `state.py` what
it is, `evolve.py` how events change it. `menu.py` tells a player what he may do now.
"""
