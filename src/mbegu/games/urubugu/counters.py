"""Counter-settings of Urubugu: the lab's own studies of it, found beside the kernel.

Nobody imports this but `mbegu.lab.counters`, by the door."""

from mbegu.lab.urubugu.study import study

__all__ = ["study"]
