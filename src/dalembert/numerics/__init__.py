"""Numbers only: factorisations and solves on small dense arrays; knows nothing of mechanics."""
