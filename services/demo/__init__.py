"""A demonstration hand, from empty seats to proven result.

`story.py` plays it through the engine, `narrate.py` puts its events into words, `proofs.py` checks them from outside,
and `display.py` prints words and proofs. Narration and proofs are pure functions of recorded events: they do as well
for any other hand.
"""
