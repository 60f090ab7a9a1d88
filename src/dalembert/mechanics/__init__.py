"""Mechanics of a state: the constrained linear solve, kinematics, measures."""
