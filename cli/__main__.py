"""`python -m cli` is `bree`."""

import sys

from cli.main import main

sys.exit(main())
