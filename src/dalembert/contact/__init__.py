"""Impulses of joints, limits, motors and contacts: one problem object, several solvers."""
