"""The whole platform on one machine: `python -m local`, which is what `make run` starts."""
