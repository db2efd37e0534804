"""How hard hypothesis tries (HYPOTHESIS_PROFILE=thorough tries long), and what closes a run.

There is no deadline, because no test may look at time.
"""

from __future__ import annotations

import os

from hypothesis import settings

pytest_plugins = ["tests.conformance.summary", "tests.services.kafka.plugin"]
"""What closes a run, whatever part of the tests was asked for: the table of replayed hands, and what Kafka lacks."""

settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("thorough", deadline=None, max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "dev"))
