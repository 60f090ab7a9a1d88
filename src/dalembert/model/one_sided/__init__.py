"""Constraints to one side or up to a bound: the blocks UNI and BOX of a contact problem.

law         what happens where a one-sided constraint is met
unilateral  formulas that stay positive     cable, stop   elements that say so for points
rows        every such row of a model, limits, drives and dry friction included
"""
