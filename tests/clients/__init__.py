"""Tests of the clients, against a gateway that fails on demand."""
