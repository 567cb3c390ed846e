"""What a Java program needs beyond its command line, so that nobody has to know it.

A Java machine reserves far more address space than it uses — a quarter of the computer's memory for its
heap, a gigabyte for classes — and would not even start in a cage; its settings lie in /etc on Debian.
"""

import os
from collections.abc import Iterator, Sequence
from glob import glob

__all__ = ["class_path", "heap_words", "is_java", "java_files"]

MIB = 1 << 20
MEMORY = 4096 * MIB  # address space: what a small heap and everything around it comes to
_PATHS = ("-cp", "-classpath", "--class-path", "-p", "--module-path")
_SETTINGS = "/etc/java*"


def is_java(program: str) -> bool:
    """Whether a program is a Java machine, by the name that it has at the end of all links."""
    return os.path.basename(os.path.realpath(program)) in ("java", "java.exe")


def heap_words(words: Sequence[str], memory: int) -> list[str]:
    """Flags before the words of a command, for a machine that may have so much address space.

    Half of it is for the heap. A word of the command that says otherwise comes later, and wins;
    only of collectors there must not be two.
    """
    flags = [f"-Xmx{memory // 2 // MIB}m", "-XX:CompressedClassSpaceSize=128m", "-XX:-UsePerfData"]
    if not any(word.startswith("-XX:+Use") and word.endswith("GC") for word in words):
        flags.append("-XX:+UseSerialGC")  # a bot has one core
    return flags


def java_files(program: str) -> Iterator[str]:
    """Its home, wherever that is, and its settings."""
    yield os.path.dirname(os.path.dirname(os.path.realpath(program)))
    yield from glob(_SETTINGS)


def class_path(words: Sequence[str], folder: str) -> tuple[list[str], list[str]]:
    """The words with whole class paths, seen from the folder of the bot; and what lies on them."""
    told, places = list(words), list[str]()
    for at, word in enumerate(words[1:], 1):
        if words[at - 1] in _PATHS:
            parts = [os.path.normpath(os.path.join(folder, part)) for part in word.split(":")]
            places += [part.removesuffix(f"{os.sep}*") for part in parts]
            told[at] = ":".join(parts)
    return told, places
