"""Helpers of `core`."""

from core.utils.generator import BoardStateGenerator

__all__ = ["BoardStateGenerator"]
