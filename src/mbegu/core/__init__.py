"""The words that everything shares."""
