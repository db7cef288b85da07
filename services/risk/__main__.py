"""`python -m services.risk`: an engine of Risk."""

import sys

from services.host.main import serve
from services.risk import RULES
from services.risk.wire import WIRE

if __name__ == "__main__":
    sys.exit(serve(RULES, WIRE))
