"""Finds the weights and constants that bots go by, from games that are played for it."""
