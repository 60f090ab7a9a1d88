"""The user's description of contact: materials, placed shapes, rules for pairs.

material   friction, restitution, compliance of a surface     combine   two materials to one law
placed     shapes on bodies that touch others                 rules     what holds for named pairs
pairs      which shapes may touch, and by which law
"""
