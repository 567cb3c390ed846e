#!/bin/sh
# install.sh FOLDER ARGUMENTS...: `pip install ARGUMENTS` in that environment, by uv where it is present.
set -eu

python="$1/bin/python"
shift
if command -v uv >/dev/null 2>&1 && uv --version >/dev/null 2>&1; then
    # Compiled now, as pip does, so that the first start need not.
    exec uv pip install --quiet --compile-bytecode --python "$python" "$@"
fi
# An environment that uv has made has no pip, and uv may have gone since.
"$python" -c 'import pip' 2>/dev/null || "$python" -m ensurepip --upgrade >/dev/null
# Dependency groups came with pip 25.1; an environment begins with the pip of its Python.
"$python" -c 'import sys, pip; sys.exit(tuple(map(int, pip.__version__.split(".")[:2])) < (25, 1))' ||
    "$python" -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
exec "$python" -m pip install --quiet --disable-pip-version-check "$@"
