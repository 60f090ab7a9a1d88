"""Models for other programs: C code, functional mock-up units."""
