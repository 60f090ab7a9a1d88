"""`Model`: what can be added to it, and what it answers."""
