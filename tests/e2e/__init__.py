"""The whole platform in real processes: Redis, engines, gateway, workers, sweeper, supervisor."""
