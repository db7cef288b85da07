"""The ledger: what outlives a match, in PostgreSQL. Its tables, how it is migrated and asked."""
