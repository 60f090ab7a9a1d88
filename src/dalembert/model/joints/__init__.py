"""Joints, one file each: the equations that hold between two frames (physics 3.2).

Every joint states its rows as formulas of the frames it connects; Jacobians and right-hand sides
follow by differentiation. A joint along an axis turns both of its frames so that their z is that
axis: at zero joint coordinate the two frames coincide.
"""
