"""Moves a platform from before there was a ledger to one: `bree ledger import`."""
