"""Lets programs written for pyAwale run as they are: after this import there is a module `awale`.

    >>> import mbegu.compat.as_awale
    >>> from awale import *
    >>> Awale(algo="alphabeta", depth=4).best_sown(0) in range(6)
    True

A module `awale` that is there already, such as pyAwale itself, stays what it is.
"""

import sys

from mbegu.compat import awale

__all__: list[str] = []

sys.modules.setdefault("awale", awale)
