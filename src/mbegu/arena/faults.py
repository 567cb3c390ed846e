"""How a bot can fail."""

from mbegu.core.i18n import N_
from mbegu.core.worded import Worded

__all__ = ["BotFault", "Fault"]


class Fault(Worded):
    """How a bot can fail. The value is the word used in reports."""

    TIMEOUT = "timeout", N_("It did not answer in time.")
    ILLEGAL = "illegal", N_("It answered with a move that the rules forbid.")
    CRASH = "crash", N_("It ended with an error.")
    MEMORY = "memory", N_("It wanted more memory than it may have.")
    OUTPUT = "output", N_("It printed more than anybody could read.")
    PROTOCOL = "protocol", N_("Its answer could not be understood.")
    CAGE = "cage", N_("It tried what a bot may not do.")


class BotFault(Exception):
    """A bot has failed: how, with what words, and the last lines that it wrote to stderr."""

    def __init__(self, fault: Fault, detail: str = "", stderr: str = "") -> None:
        super().__init__(f"{fault.value}: {detail}" if detail else fault.value)
        self.fault, self.detail, self.stderr = fault, detail, stderr
