"""What every test stands on: English messages, and Hypothesis without a stopwatch."""

import os

from hypothesis import settings

os.environ["MBEGU_LANG"] = "en"

# The same examples in every run, so that a red build means a change; `HYPOTHESIS_PROFILE=search`
# looks further, in new places each time.
settings.register_profile("mbegu", deadline=None, derandomize=True, database=None, max_examples=40)
settings.register_profile("search", deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "mbegu"))
