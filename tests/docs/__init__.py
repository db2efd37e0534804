"""The papers are checked like code: what they say is true, and what can be generated is."""
