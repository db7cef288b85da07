"""Measurements, each beside what it is compared with, and their latest results."""
