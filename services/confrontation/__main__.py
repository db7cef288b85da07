"""`python -m services.confrontation`: an engine of The Confrontation."""

import sys

from services.confrontation import RULES
from services.host.main import serve

if __name__ == "__main__":
    sys.exit(serve(RULES))
