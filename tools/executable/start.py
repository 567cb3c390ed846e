"""How the single file starts: it is the command `mbegu`, and also the Python of the processes that it needs.

Mbegu starts helpers as `sys.executable -P -m MODULE …`; here that is this very file.
"""

import multiprocessing
import runpy
import sys


def main() -> int:
    """Runs a module, if it is asked as Python would be, else a command."""
    multiprocessing.freeze_support()
    words = [word for word in sys.argv[1:3] if word != "-P"]
    if words[:1] == ["-m"]:
        at = sys.argv.index("-m") + 1
        sys.argv = sys.argv[at:]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        return 0
    from mbegu.cli import main as command  # noqa: PLC0415 - a helper needs less

    return command()


if __name__ == "__main__":
    sys.exit(main())
