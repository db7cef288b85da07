"""The Python client, and a bot that shows how to use it."""
