"""What a state means: the constrained linear solve, kinematics, measures."""
