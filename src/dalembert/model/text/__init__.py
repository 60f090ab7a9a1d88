"""A model in words, as equations, as HTML."""
