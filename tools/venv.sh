#!/bin/sh
# venv.sh FOLDER: makes a virtual environment with the first Python that is new enough.
set -eu

for python in ${PYTHON:-python3 python3.11 python3.12 python3.13 python3.14 python}; do
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        if command -v uv >/dev/null 2>&1 && uv --version >/dev/null 2>&1; then
            exec uv venv --quiet --allow-existing --python "$(command -v "$python")" "$1"
        fi
        if "$python" -m venv "$1"; then
            # Before 3.12 it brings setuptools, 10 MB that nobody here asks for.
            "$1/bin/python" -m pip uninstall --quiet --yes --disable-pip-version-check setuptools 2>/dev/null || true
            exit 0
        fi
        rm -rf "$1"
        echo "Python cannot make a virtual environment here; on Debian: apt install python3-venv" >&2
        exit 1
    fi
done
echo "Mbegu needs Python 3.11 or newer; say where it is with: make PYTHON=/path/to/python3" >&2
exit 1
