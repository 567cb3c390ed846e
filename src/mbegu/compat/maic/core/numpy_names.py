"""What NumPy had and did in 2022 and no longer has and does; AIs of that year still count on it.

This is done to NumPy itself, which only the process of a contest's AI ever sees.
"""

from functools import wraps

import numpy as np

_SINCE_THEN = {
    "int": int,
    "float": float,
    "complex": complex,
    "object": object,
    "str": str,
    "Inf": np.inf,
    "Infinity": np.inf,
    "infty": np.inf,
    "PINF": np.inf,
    "NINF": -np.inf,
    "NaN": np.nan,
    "NAN": np.nan,
    "float_": np.float64,
    "complex_": np.complex128,
    "unicode_": np.str_,
    "product": np.prod,
    "cumproduct": np.cumprod,
    "alltrue": np.all,
    "sometrue": np.any,
    "round_": np.round,
    "row_stack": np.vstack,
    "in1d": np.isin,
    "asscalar": np.ndarray.item,
}

for _name, _thing in _SINCE_THEN.items():
    if _name not in vars(np):
        setattr(np, _name, _thing)


def _ragged_too(make):
    """Lists of different lengths made an array of objects, with a warning that nobody read."""

    @wraps(make)
    def made(*args, **kwargs):
        try:
            return make(*args, **kwargs)
        except ValueError as error:
            if "inhomogeneous" not in str(error) or kwargs.get("dtype") or len(args) > 1:
                raise
            return make(*args, **{**kwargs, "dtype": object})

    return made


for _name in ("array", "asarray", "asanyarray"):
    setattr(np, _name, _ragged_too(getattr(np, _name)))
