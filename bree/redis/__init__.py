"""Redis as Bree asks it: of one server, of whichever Sentinels name, or of a cluster."""
