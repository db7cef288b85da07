"""`python -m services.warofthering`: an engine of War of the Ring."""

import sys

from services.host.main import serve
from services.warofthering import RULES

if __name__ == "__main__":
    sys.exit(serve(RULES))
