"""An engine of the toy game, where its folder stands in services/."""

import sys

from services.host.main import serve

from . import RULES

if __name__ == "__main__":
    sys.exit(serve(RULES))
