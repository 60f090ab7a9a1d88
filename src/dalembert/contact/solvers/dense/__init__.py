"""Newton's method in contact space, for small islands."""
