"""How soon a thread is let in that has something to do, when all processors are taken.

Linux lets whoever computes go on for some milliseconds before it looks at who has woken up since. A move goes
through several threads, and each would wait as long. Whoever asks for a short slice of time is let in at
once (from Linux 6.12 on; others do not mind being asked), and has no more of the processor in the end.
"""

import ctypes
import os
import platform
import sys

__all__ = ["SHORT", "take_slices"]

SHORT = 0.0001  # seconds
_SCHED_SETATTR = {"x86_64": 314, "aarch64": 274}  # the number of the system call


class _Attributes(ctypes.Structure):
    """As sched_setattr(2) has them."""

    _fields_ = (
        ("size", ctypes.c_uint32),
        ("policy", ctypes.c_uint32),
        ("flags", ctypes.c_uint64),
        ("nice", ctypes.c_int32),
        ("priority", ctypes.c_uint32),
        ("runtime", ctypes.c_uint64),
        ("deadline", ctypes.c_uint64),
        ("period", ctypes.c_uint64),
    )


def take_slices(seconds: float) -> bool:
    """Asks for slices of this length for this thread and those that it begins; 0 for the usual ones.

    Whether it was heard.
    """
    call = _SCHED_SETATTR.get(platform.machine())
    if sys.platform != "linux" or call is None or os.sched_getscheduler(0) != os.SCHED_OTHER:
        return False
    wanted = _Attributes(
        size=ctypes.sizeof(_Attributes),
        policy=os.SCHED_OTHER,
        nice=os.getpriority(os.PRIO_PROCESS, 0),
        runtime=int(seconds * 1e9),
    )
    return bool(ctypes.CDLL(None).syscall(call, 0, ctypes.byref(wanted), 0) == 0)
