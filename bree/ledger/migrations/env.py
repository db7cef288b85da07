"""How alembic writes the migrations down. Whoever asks for them sends them, in a transaction."""

from __future__ import annotations

from alembic import context

from bree.ledger.tables import SCHEMA, metadata

context.configure(
    dialect_name="postgresql",
    target_metadata=metadata,
    version_table_schema=SCHEMA,
    transactional_ddl=False,  # else each of them would be a transaction of its own
)
context.run_migrations()
