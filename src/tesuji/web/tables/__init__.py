"""Games in progress."""
