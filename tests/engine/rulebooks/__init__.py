"""Tests of the rulebooks: the five files, how a file is refused, and what may be agreed when a table is opened."""
