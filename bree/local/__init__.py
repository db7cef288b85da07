"""The whole platform on one machine: `bree run`, which is what `make run` starts."""
