"""Tests of the log that the services share."""
