"""Motion of mechanisms by their geometry alone."""
