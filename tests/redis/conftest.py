"""What the tests of our client share: the servers that the tests of the host have, too."""

from tests.host.conftest import own_redis, shared_cluster, shared_redis

__all__ = ["own_redis", "shared_cluster", "shared_redis"]
