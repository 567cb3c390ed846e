"""A sandbox (the cage) for programs of strangers, on Linux, without any privilege and without any helper program.

A caged program has a limited memory, no network, no files but those it is shown, and cannot start
other programs. Each wall is built from one thing that the kernel offers:

    limits       memory, file sizes, open files, no core dumps          setrlimit
    namespaces   its own users, network, processes and messages         unshare
    landlock     only these folders to read, only that one to write     landlock_*
    seccomp      no new processes, no sockets, no tracing, no mounting   a filter on system calls

`enter` is called by a program on itself, before it runs anything that it does not trust; there is no
way back. `offered` tells which walls this host can build. Nothing here is imported but the standard
library: a cage must stand before anything else is loaded.
"""

import ctypes
import errno
import json
import os
import platform
import resource
import signal
import struct
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mbegu.work.processes import SET_DEATH_SIGNAL, die_with_parent

__all__ = [
    "LAYERS",
    "Cage",
    "CageError",
    "bubblewrap",
    "enter",
    "freeze",
    "offered",
]

LAYERS = ("limits", "namespaces", "landlock", "seccomp")
MIB = 1 << 20


class CageError(OSError):
    """A wall that could not be built; `layer` is its name."""

    def __init__(self, layer: str, reason: str) -> None:
        super().__init__(f"{layer}: {reason}")
        self.layer = layer


@dataclass(frozen=True)
class Cage:
    """What a caged program may use."""

    memory: int = 1024 * MIB  # address space, in bytes
    read: tuple[str, ...] = ()  # folders and files to read, besides what Python itself needs
    scratch: str | None = None  # the one folder to write in
    scratch_size: int = 64 * MIB  # of all files in it
    file_size: int = 16 * MIB
    open_files: int = 64
    tasks: int = 64  # threads and processes, in all
    hidden: tuple[str, ...] = ()  # folders that seem to be empty
    may_exec: bool = False  # a program that is not Python must be started inside the cage
    without: tuple[str, ...] = ()  # layers that this host lacks and the user does without
    wrapper: tuple[str, ...] = ()  # the command that builds the namespaces, if we may not
    beside: tuple[
        str, ...
    ] = ()  # what a program finds in its folder under its name: see lay_beside


_libc = ctypes.CDLL(None, use_errno=True)


def _call(layer: str, number: int, *arguments: object) -> int:
    """A system call by its number; CageError when the kernel refuses."""
    words = [
        ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments
    ]
    answer = int(_libc.syscall(ctypes.c_long(number), *words))
    if answer < 0:
        raise CageError(layer, os.strerror(ctypes.get_errno()))
    return answer


def enter(cage: Cage) -> None:
    """Locks this process up. It is the first process of its own namespace afterwards."""
    walls: dict[str, Callable[[Cage], None]] = {
        "namespaces": _own_namespaces,
        "limits": _limits,
        "landlock": _landlock,
        "seccomp": _seccomp,
    }
    for layer, build in walls.items():  # in this order: each wall forbids to build the ones before
        if layer not in cage.without:
            build(cage)


def freeze(pid: int) -> None:
    """Stops a process, and each of its threads as soon as it would run again.

    A signal for the process goes to its first thread; until that one has a processor, the others
    would run on.
    """
    os.kill(pid, signal.SIGSTOP)
    if _TGKILL is not None:
        for thread in os.listdir(f"/proc/{pid}/task"):
            _libc.syscall(_TGKILL, pid, int(thread), int(signal.SIGSTOP))


def offered() -> dict[str, str | None]:
    """Each layer with None if this host offers it, else with the reason why not."""
    found = {layer: _try(layer) for layer in LAYERS}
    if found["namespaces"] is not None and bubblewrap():
        found["namespaces"] = None
    return found


# What bubblewrap is asked for: the same namespaces, and no other file system to write in.
_WRAPPED = (
    "--die-with-parent", "--as-pid-1", "--unshare-net", "--unshare-ipc", "--unshare-pid",
    "--unshare-uts", "--unshare-cgroup-try", "--cap-drop", "ALL", "--ro-bind", "/", "/",
)  # fmt: skip


@cache
def bubblewrap() -> tuple[str, ...]:
    """The command that builds the namespaces where we may not, but a set-uid bubblewrap may.

    Empty where that is not needed, or where bubblewrap is missing or is refused as well.
    """
    import shutil  # noqa: PLC0415 - a bot's process has no need of these
    import subprocess  # noqa: PLC0415

    found = shutil.which("bwrap")
    if found is None or _try("namespaces") is None:
        return ()
    command = (found, *_WRAPPED)
    try:
        tried = subprocess.run((*command, "true"), capture_output=True, timeout=5, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return command if tried.returncode == 0 else ()


def _try(layer: str) -> str | None:
    """Builds one wall in a child and reports how that went."""
    if not sys.platform.startswith("linux"):
        return "only Linux has it"
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            here = os.path.dirname(os.path.abspath(__file__))  # any folder: only the child sees it
            enter(Cage(scratch=here, without=tuple(wall for wall in LAYERS if wall != layer)))
            os._exit(0)
        except BaseException as error:  # the child must end here, whatever happens
            os.write(write, str(error).removeprefix(f"{layer}: ").encode())
            os._exit(1)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        reason = pipe.read().decode(errors="replace")
    _pid, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return None if code == 0 else reason or f"ended with {code}"


# ---- limits -----------------------------------------------------------------------------------------


def _limits(cage: Cage) -> None:
    limits = {
        resource.RLIMIT_AS: cage.memory,
        resource.RLIMIT_FSIZE: cage.file_size,
        resource.RLIMIT_NOFILE: cage.open_files,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
    }
    if "namespaces" not in cage.without:  # else all programs of this user would count
        limits[resource.RLIMIT_NPROC] = cage.tasks
    for what, most in limits.items():
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)  # noqa: PLW2901
        resource.setrlimit(what, (most, most))


# ---- namespaces -------------------------------------------------------------------------------------

_NEW_USER, _NEW_NET, _NEW_IPC = 0x10000000, 0x40000000, 0x08000000
_NEW_PID, _NEW_UTS, _NEW_NS = 0x20000000, 0x04000000, 0x00020000
_HARMLESS, _MOST_FILES = 0b1110, 4096  # no set-uid, no devices, no programs
_READ_ONLY, _NOBODY = 1, 65534
_SET_DUMPABLE, _NO_NEW_PRIVILEGES, _DROP_BOUND = 4, 38, 24


def _own_namespaces(cage: Cage) -> None:
    """Its own users, network, messages, mounts and processes; then goes on as process 1 of them."""
    user, group = os.geteuid(), os.getegid()
    _be_counted()
    spaces = _NEW_USER | _NEW_NET | _NEW_IPC | _NEW_PID | _NEW_UTS | _NEW_NS
    if _libc.unshare(spaces) != 0:
        raise CageError("namespaces", os.strerror(ctypes.get_errno()))
    # Inside, the program is nobody in particular; outside, it stays who started it.
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"65534 {user} 1")
    Path("/proc/self/gid_map").write_text(f"65534 {group} 1")
    if cage.scratch is not None:
        _small_disk(cage.scratch, cage.scratch_size)
        os.chdir(cage.scratch)  # and not the folder that now lies under it
    for folder in filter(os.path.isdir, cage.hidden):
        _small_disk(folder, 0)
    inside = os.fork()  # a process namespace begins with the next process
    if inside:
        _stand_by(inside)
    die_with_parent()
    for capability in range(64):
        _libc.prctl(_DROP_BOUND, capability, 0, 0, 0)
    _drop_capabilities()


def _be_counted() -> None:
    """The kernel limits the threads of everybody but root: root's bots run under another real user.

    Which files they may read is decided by the effective one, which stays.
    """
    if os.geteuid() == 0:
        os.setresuid(_NOBODY, -1, -1)


def _small_disk(folder: str, size: int) -> None:
    """A file system of its own in place of the folder: who fills that one fills no other.

    One of the size 0 is there to hide what was in the folder: nobody can write on it.
    """
    told = f"mode=700,size={size},nr_inodes={_MOST_FILES}"
    flags = _HARMLESS if size else _HARMLESS | _READ_ONLY
    mounted = _libc.mount(b"scratch", os.fsencode(folder), b"tmpfs", flags, told.encode())
    if mounted != 0:
        raise CageError("namespaces", os.strerror(ctypes.get_errno()))


def _stand_by(inside: int) -> None:
    """The process outside only waits, and ends as the one inside ended."""
    die_with_parent()  # once more: the kernel forgets it when a process gets new users
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # Ctrl-C is the referee's business
    os.closerange(0, 256)  # it must not hold a pipe open after the program is gone
    _pid, status = os.waitpid(inside, 0)
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        signal.signal(-code, signal.SIG_DFL) if -code not in (9, 19) else None
        os.kill(os.getpid(), -code)
    os._exit(code if code >= 0 else 128 - code)


def _drop_capabilities() -> None:
    header = struct.pack("Ii", 0x20080522, 0)  # version 3 of the structure, this process
    _call("namespaces", _NUMBERS["capset"], ctypes.c_char_p(header), ctypes.c_char_p(bytes(24)))


# ---- landlock ---------------------------------------------------------------------------------------

_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_ALL_OF_FILES = (1 << 13) - 1
_REFER, _TRUNCATE, _IOCTL = 1 << 13, 1 << 14, 1 << 15
_FOR_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL
_BIND_AND_CONNECT = 0b11
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11
SYSTEM_FILES = (
    "/usr/lib",
    "/usr/local/lib",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/usr/share/zoneinfo",
    "/dev/null",
    "/dev/zero",
    "/dev/urandom",
)
PROGRAM_FILES = ("/usr/bin", "/usr/local/bin", "/bin")  # for a program that is started inside


def python_files() -> tuple[str, ...]:
    """What Python and its installed packages are made of, and what the system's libraries are."""
    folders = {sys.prefix, sys.base_prefix, os.path.dirname(os.path.realpath(sys.executable))}
    folders |= {path for path in sys.path if path and os.path.isabs(path)}
    return (*SYSTEM_FILES, *sorted(folders))


def _landlock(cage: Cage) -> None:
    version = _call("landlock", _LANDLOCK_CREATE, 0, 0, 1)
    handled = _ALL_OF_FILES
    for since, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL)):
        handled |= right if version >= since else 0
    rules = struct.pack("Q", handled)
    if version >= 4:
        rules += struct.pack("Q", _BIND_AND_CONNECT)
    if version >= 6:
        rules += struct.pack("Q", _ABSTRACT_SOCKETS_AND_SIGNALS)
    ruleset = _call("landlock", _LANDLOCK_CREATE, ctypes.c_char_p(rules), len(rules), 0)
    programs = PROGRAM_FILES if cage.may_exec else ()
    for path in (*python_files(), *programs, *cage.read):
        _allow(ruleset, path, _READ & handled)
    _allow(ruleset, "/dev/null", (_READ_FILE | _WRITE_FILE) & handled)
    if cage.scratch is not None:
        _allow(ruleset, cage.scratch, handled & ~_EXECUTE)
    _no_new_privileges()
    _call("landlock", _LANDLOCK_RESTRICT, ruleset, 0)
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # what is not there cannot be read
    try:
        if not os.path.isdir(path):
            rights &= _FOR_A_FILE
        rule = struct.pack("=Qi", rights, handle)
        _call("landlock", _LANDLOCK_ADD, ruleset, 1, ctypes.c_char_p(rule), 0)
    finally:
        os.close(handle)


def _no_new_privileges() -> None:
    if _libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        raise CageError("seccomp", os.strerror(ctypes.get_errno()))


# ---- seccomp ----------------------------------------------------------------------------------------

# System calls by name, on the two machines that people have.
_TABLES: dict[str, tuple[int, dict[str, int]]] = {
    "x86_64": (
        0xC000003E,
        {
            "clone": 56, "fork": 57, "vfork": 58, "execve": 59, "ptrace": 101, "setpgid": 109,
            "setsid": 112, "capset": 126, "personality": 135, "pivot_root": 155, "chroot": 161,
            "acct": 163, "mount": 165, "umount2": 166, "swapon": 167, "reboot": 169,
            "sethostname": 170, "init_module": 175, "delete_module": 176, "add_key": 248,
            "request_key": 249, "keyctl": 250, "unshare": 272, "perf_event_open": 298,
            "fanotify_init": 300, "name_to_handle_at": 303, "open_by_handle_at": 304, "setns": 308,
            "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "finit_module": 313,
            "bpf": 321, "execveat": 322, "userfaultfd": 323, "socket": 41, "connect": 42,
            "bind": 49, "listen": 50, "ioctl": 16, "clone3": 435, "io_uring_setup": 425,
            "pidfd_open": 434, "pidfd_getfd": 438, "process_madvise": 440, "memfd_secret": 447,
            "kexec_load": 246, "mq_open": 240, "shmget": 29, "semget": 64, "msgget": 68,
            "sched_setaffinity": 203, "setpriority": 141, "prctl": 157,
            # Landlock does not ask who watches a folder, and no limit counts such files.
            "inotify_add_watch": 254, "memfd_create": 319,
            # Landlock does not guard who owns a file, its permissions, times and attributes.
            "chmod": 90, "fchmod": 91, "chown": 92, "fchown": 93, "lchown": 94, "fchownat": 260,
            "fchmodat": 268, "fchmodat2": 452, "setxattr": 188, "lsetxattr": 189, "fsetxattr": 190,
            "removexattr": 197, "lremovexattr": 198, "fremovexattr": 199, "utime": 132,
            "utimes": 235, "futimesat": 261, "utimensat": 280, "setxattrat": 463,
        },
    ),
    "aarch64": (
        0xC00000B7,
        {
            "clone": 220, "execve": 221, "ptrace": 117, "setpgid": 154, "setsid": 157,
            "capset": 91, "personality": 92, "pivot_root": 41, "chroot": 51, "acct": 89,
            "mount": 40, "umount2": 39, "swapon": 224, "reboot": 142, "sethostname": 161,
            "init_module": 105, "delete_module": 106, "add_key": 217, "request_key": 218,
            "keyctl": 219, "unshare": 97, "perf_event_open": 241, "fanotify_init": 262,
            "name_to_handle_at": 264, "open_by_handle_at": 265, "setns": 268,
            "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272, "finit_module": 273,
            "bpf": 280, "execveat": 281, "userfaultfd": 282, "socket": 198, "connect": 203,
            "bind": 200, "listen": 201, "ioctl": 29, "clone3": 435, "io_uring_setup": 425,
            "pidfd_open": 434, "pidfd_getfd": 438, "process_madvise": 440, "memfd_secret": 447,
            "kexec_load": 104, "mq_open": 180, "shmget": 194, "semget": 190, "msgget": 186,
            "sched_setaffinity": 122, "setpriority": 140, "prctl": 167,
            "inotify_add_watch": 27, "memfd_create": 279,
            "fchmod": 52, "fchmodat": 53, "fchownat": 54, "fchown": 55, "fchmodat2": 452,
            "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7, "removexattr": 14, "lremovexattr": 15,
            "fremovexattr": 16, "utimensat": 88, "setxattrat": 463,
        },
    ),
}  # fmt: skip
_TGKILL = {"x86_64": 234, "aarch64": 131}.get(platform.machine())
_MACHINE, _NUMBERS = _TABLES.get(platform.machine(), (0, {}))
_SPECIAL = (
    "clone",
    "clone3",
    "ioctl",
    "prctl",
    "execve",
    "execveat",
)  # looked at more closely below
_CLONE_THREAD = 0x00010000
_PUSH_BACK_INPUT = 0x5412  # typing into the terminal as if one were the user
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000


def _filter(may_exec: bool) -> list[tuple[int, int, int, int]]:
    """The filter as instructions: refuse (EPERM) what is listed, allow the rest."""
    load, equal, any_bit, answer = 0x20, 0x15, 0x45, 0x06
    number, machine, first, second_argument = 0, 4, 16, 24
    refuse = (answer, 0, 0, _REFUSE | errno.EPERM)
    code = [
        (load, 0, 0, machine),
        (equal, 1, 0, _MACHINE),
        refuse,  # another set of system calls (32 bits): none of them
        (load, 0, 0, number),
    ]
    if platform.machine() == "x86_64":
        code += [(0x35, 0, 1, 0x40000000), refuse]  # the x32 twin of every call
    banned = [call for name, call in _NUMBERS.items() if name not in _SPECIAL]
    if not may_exec:
        banned += [_NUMBERS["execve"], _NUMBERS["execveat"]]
    for call in banned:
        code += [(equal, 0, 1, call), refuse]
    # Threads are allowed, processes are not. clone3 hides its flags: C falls back on clone.
    code += [(equal, 0, 1, _NUMBERS["clone3"]), (answer, 0, 0, _REFUSE | errno.ENOSYS)]
    code += [
        (equal, 0, 3, _NUMBERS["clone"]),
        (load, 0, 0, first),
        (any_bit, 1, 0, _CLONE_THREAD),
        refuse,
        (load, 0, 0, number),
    ]
    code += [
        (equal, 0, 4, _NUMBERS["ioctl"]),
        (load, 0, 0, second_argument),
        (equal, 0, 1, _PUSH_BACK_INPUT),
        refuse,
        (load, 0, 0, number),
    ]
    # Whoever could take back that it dies with the referee would outlive it.
    code += [
        (equal, 0, 3, _NUMBERS["prctl"]),
        (load, 0, 0, first),
        (equal, 0, 1, SET_DEATH_SIGNAL),
        refuse,
    ]
    code.append((answer, 0, 0, _ALLOW))
    return code


def _seccomp(cage: Cage) -> None:
    if not _NUMBERS:
        raise CageError("seccomp", f"no list of system calls for {platform.machine()}")
    code = b"".join(struct.pack("HBBI", *line) for line in _filter(cage.may_exec))
    program = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(program))
    _no_new_privileges()
    filtered = _libc.prctl(22, 2, ctypes.c_char_p(header), 0, 0)  # PR_SET_SECCOMP, filter mode
    if filtered != 0:
        raise CageError("seccomp", os.strerror(ctypes.get_errno()))
    _libc.prctl(_SET_DUMPABLE, 0, 0, 0, 0)


def from_json(told: dict[str, Any]) -> Cage:
    """The cage of such data, as `dataclasses.asdict` writes it."""
    lists = {key: tuple(told[key]) for key in ("read", "without", "wrapper", "hidden", "beside")}
    return Cage(**{**told, **lists})


def lay_beside(places: Iterable[str]) -> None:
    """Links to files in the folder of this process: a program opens its book as `book.txt`, wherever it lies."""
    for place in places:
        with suppress(OSError):  # what is not laid is not found, and the program says so
            os.symlink(place, os.path.basename(place))


def main(arguments: list[str]) -> None:
    """`python -m mbegu.arena.cage CAGE PROGRAM …` starts a program in a cage; CAGE is JSON."""
    die_with_parent()
    cage = from_json(json.loads(arguments[0]))
    enter(cage)
    lay_beside(cage.beside)
    os.execvp(arguments[1], arguments[1:])  # noqa: S606 (this is what it is for)


if __name__ == "__main__":
    main(sys.argv[1:])
