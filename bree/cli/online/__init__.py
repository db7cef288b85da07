"""`bree` with a platform: accounts, matches, watching, records and figures, through its gateway."""

import os

# gRPC writes what happens on the wire where a person is asked for a move. It looks at this when it
# is first imported, and what matters of it comes as an error of a call.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
