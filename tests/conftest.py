"""What every test stands on: English messages, ears for Ctrl-C, and Hypothesis without a stopwatch."""

import os
import signal

from hypothesis import settings

os.environ["MBEGU_LANG"] = "en"
os.environ["MBEGU_TABLES"] = ""  # whatever endgame tables this user has, no test depends on them

# A shell lets what it starts in the background ignore Ctrl-C, and so would the programs that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run, so that a red build means a change; `HYPOTHESIS_PROFILE=search`
# looks further, in new places each time.
settings.register_profile("mbegu", deadline=None, derandomize=True, database=None, max_examples=40)
settings.register_profile("search", deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "mbegu"))
