"""Rule cases in plain text, one folder a game."""
