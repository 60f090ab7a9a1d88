"""The compiled model: flat arrays, sizes, and the borders through which modules meet."""
