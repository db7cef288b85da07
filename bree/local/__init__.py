"""The whole platform on one machine: `python -m bree.local`, which is what `make run` starts."""
