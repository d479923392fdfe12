"""`python -m tesuji`: the command line, where the script is not on the path."""

import sys

from tesuji.cli import main

if __name__ == "__main__":
    sys.exit(main())
