"""What a change of the rules would break, found out before it does."""
