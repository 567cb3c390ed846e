"""Processes that think: a pool of workers, shared fairly."""
