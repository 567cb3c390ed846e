"""Mbegu as a folder of files: everything that one plays alone or at one device, on any static host."""
