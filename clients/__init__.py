"""Clients of the gateway. They know its contract and nothing else of Bree."""
