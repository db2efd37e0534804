"""An account: a player's money, and how often he may still be protected when his connection is lost.

Begin with `decide.py`, the rules. `commands.py` is what an account can be asked, `events.py` what it says, `state.py`
what it is, `evolve.py` how events change it. `quota.py` counts protections.
"""
