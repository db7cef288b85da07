"""`python -m bree` is `bree`."""

import sys

from bree.cli.main import main

sys.exit(main())
