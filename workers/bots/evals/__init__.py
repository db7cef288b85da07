"""What positions are worth: one module a game, whose `JUDGE` says what its bots are told of it."""
