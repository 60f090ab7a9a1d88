"""Contact problems given from Python."""
