"""Backups of a platform: what is live and what the ledger keeps, in one file."""
