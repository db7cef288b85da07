"""The tests, one room each, and the languages they share."""
