"""The local run: its state directory, its Redis, its supervisor, and what it says."""
