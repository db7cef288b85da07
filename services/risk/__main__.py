"""`python -m services.risk`: an engine of Risk."""

import sys

from services.host.main import serve
from services.risk import RULES

if __name__ == "__main__":
    sys.exit(serve(RULES))
