"""A platform to rehearse on: two empty servers, as backups are tested with."""

from tests.backup.conftest import oldest, servers  # noqa: F401  (fixtures)
