"""Tests of deploy/ and of the pages about it, with the tools it is meant for."""
