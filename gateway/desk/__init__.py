"""The host's desk: what accounts may do that the configuration names."""
