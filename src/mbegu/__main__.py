"""`python -m mbegu` is the command `mbegu`."""

from mbegu.cli import main

if __name__ == "__main__":
    main()
