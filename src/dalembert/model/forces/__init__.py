"""Forces, one file each: what acts on the bodies of the frames they are put on.

Gravity is not here: it is the model's own (`Model(gravity=...)`).
"""
