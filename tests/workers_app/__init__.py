"""Workers and sweepers, with an engine and a gateway that live in the same process."""
