"""Where shapes touch: broad phase, pairs, manifolds, distances and rays."""
