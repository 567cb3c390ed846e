"""`python -m mbegu` is the command `mbegu`; this is where both begin."""

import sys

__all__ = ["main"]


def main() -> int:
    """Runs the command line, unless the installation is not whole."""
    try:
        from mbegu.cli import main as command  # noqa: PLC0415 - it may fail
    except ModuleNotFoundError as error:
        from mbegu.core.extras import MissingPackage  # noqa: PLC0415

        package = str(error.name).partition(".")[0]
        if package == "mbegu":
            raise  # our own mistake
        print(f"mbegu: {MissingPackage(package)}", file=sys.stderr)
        return 2
    return command()


if __name__ == "__main__":
    sys.exit(main())
