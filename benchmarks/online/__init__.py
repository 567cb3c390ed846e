"""The server under load and under attack."""

import sys
from pathlib import Path

# Guests and server processes are those of the tests.
sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tests" / "server"))
