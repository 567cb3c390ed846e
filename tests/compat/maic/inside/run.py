"""Runs the `check_*` functions of one file with the framework on sys.path; answers in JSON.

The framework's packages are called `core` and `utils`. They are only ever imported here, in a
process of their own, never in the one that runs the tests.
"""

import contextlib
import io
import json
import runpy
import sys
import traceback
import warnings


def main(framework: str, file: str) -> None:
    sys.path.insert(0, framework)
    warnings.simplefilter("error")
    answers = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for name, check in runpy.run_path(file).items():
            if name.startswith("check_"):
                try:
                    check()
                except Exception:
                    answers[name] = traceback.format_exc()
                else:
                    answers[name] = ""
    print(json.dumps(answers))


if __name__ == "__main__":
    main(*sys.argv[1:])
