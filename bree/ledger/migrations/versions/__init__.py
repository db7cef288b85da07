"""The migrations of the ledger, one after the other."""
