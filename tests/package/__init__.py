"""Tests of the wheels: built from what git keeps, installed where nothing else is."""
