"""The steps. Never change one that has been released; write a new one."""
