"""The rules machinery: pure, and built on the standard library alone."""
