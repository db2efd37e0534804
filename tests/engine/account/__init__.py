"""Tests of accounts: funds, transfers, protections."""
