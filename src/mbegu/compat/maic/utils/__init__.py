"""Clock and record of the contest's framework."""
