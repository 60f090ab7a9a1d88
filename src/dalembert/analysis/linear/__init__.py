"""Linear models of motion around a state."""
