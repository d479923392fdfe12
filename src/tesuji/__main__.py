"""`python -m tesuji`: the command line without the script."""

import sys

from tesuji.cli import main

if __name__ == "__main__":
    sys.exit(main())
