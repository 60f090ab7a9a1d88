"""A model examined before it is simulated."""
