"""What a change of the rules would break: every match of a platform, run through those at hand."""
