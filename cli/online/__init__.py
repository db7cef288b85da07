"""`bree` with a platform: accounts, matches, watching, records and figures, through its gateway."""
