"""`python -m services.duel`: an engine of Duel for Middle-earth."""

import sys

from services.duel import RULES
from services.host.main import serve

if __name__ == "__main__":
    sys.exit(serve(RULES))
