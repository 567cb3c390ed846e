"""Names that NumPy had in 2022 and has taken away since; AIs of that year still write them.

This is done to NumPy itself, which only the process of a contest's AI ever sees.
"""

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
