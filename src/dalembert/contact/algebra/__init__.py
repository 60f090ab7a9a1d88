"""Products, islands, factors and residuals, which every contact solver needs."""
