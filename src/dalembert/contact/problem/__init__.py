"""The contact problem as packed arrays."""
