"""The command `bree`: games in the terminal, and records of games."""
