"""`python -m induce`: the command line, where the script `induce` is not on the path."""

from __future__ import annotations

import sys

from induce.cli import main

if __name__ == "__main__":
    sys.exit(main())
