"""Tests of `engine/poker`."""
