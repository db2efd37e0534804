"""Tests of the pure rules, one folder per package of the engine."""
