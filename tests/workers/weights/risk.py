"""The weights of The Confrontation's judge."""

LADDERS = {}
MODULES = ()
NO_WEIGHTS = set()
