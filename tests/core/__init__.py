"""Tests of the rules machinery, on a toy game of their own."""
