"""What must survive: every part killed at random while many matches run."""
