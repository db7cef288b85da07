"""Bounds of what a request may hold, where gateways and engines check the same field."""

LONGEST_CLOCK_MS = 365 * 24 * 60 * 60 * 1000
