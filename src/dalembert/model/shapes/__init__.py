"""Shapes that bodies are drawn with and touch by."""
