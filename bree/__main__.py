"""`python -m bree` is `bree`."""

import sys

if not (3, 11) <= sys.version_info < (3, 15):
    sys.exit(f"bree: Python 3.11 to 3.14 is needed, and this is {sys.version.split()[0]}.")

from bree.cli.main import main  # what it imports can be read by no older Python

sys.exit(main())
