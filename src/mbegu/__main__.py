"""`python -m mbegu` is the command `mbegu`."""

import sys

from mbegu.cli import main

if __name__ == "__main__":
    sys.exit(main())
