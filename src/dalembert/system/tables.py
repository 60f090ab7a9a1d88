"""The integer tables of a model of bodies: what stands in a row of each.

PAIR_TABLE      code of rows, of residuals; bodies a, b; start of its data; first row, number of
                rows; blocks of J for a, b; code of J x, of J^T lam, of J^T G J; blocks of H: aa,
                ab, bb; code of a step of refinement
ACTION_TABLE    code; bodies a, b; start of its data
INCIDENCE_TABLE body; block of J; first row, number of rows; 1 where J x begins
TERM_TABLE      blocks of J of the column and the row body; first row, number of rows; block of H
EMPTY_TABLE     blocks of H off the diagonal that no pair writes: they begin as zero
COLUMN_TABLE, BELOW_TABLE, UPDATE_TABLE     see `system.graph.Elimination`
OPERATION_TABLE code of the block operations (`numerics.block_sparse.OPERATIONS`)
MASSLESS_TABLE  bodies without inertia about some axis, their diagonal block; SPARE_INERTIA has for
                each the missing part in body axes (9) and in world axes (9)
TURNS_TABLE     where the counted turns of each angle are written in `work`

Pairs are constraints of two frames, which share code by kind. Incidences belong to constraints of
any number of bodies (formulas, couplers), whose rows one function computes for the whole model. A
body whose number is the number of bodies is the world.
"""

PAIR_STRIDE = 16
ACTION_STRIDE = 4
INCIDENCE_STRIDE = 5
TERM_STRIDE = 5
