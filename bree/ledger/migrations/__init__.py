"""What alembic needs to migrate the ledger."""
