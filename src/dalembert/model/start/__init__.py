"""Where bodies are at the start, and rows of joints with NumPy."""
