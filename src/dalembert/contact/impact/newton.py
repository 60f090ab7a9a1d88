"""Newton's law with Coulomb's on the whole impulse.

    p_n >= 0  |  u_n+ + e u_n- >= 0  where u_n- < 0,   u_n+ >= 0  elsewhere,
    |p_t| <= mu p_n,   p_t against u_t+

With friction, or with unlike e, it can create kinetic energy (Kane and Levinson 1985): `strike`
looks at that and takes Poisson's law instead.
"""

from dalembert._jit import kernel
from dalembert.contact.impact.coulomb import solve
from dalembert.contact.impact.impact import copied

PATIENCE = 0.1
"""Part of the search for an answer: with dependent contacts there may be none."""


@kernel
def newton_law(impact, e, u):
    """x of the members, from the velocities u before. Returns a status."""
    copied(impact.n, u, impact.q)
    impact.noise = 0.0
    for c in range(impact.count):
        i = impact.first[c]
        impact.q[i] += e[c] * min(0.0, u[i])
        impact.least[c] = 0.0
    return solve(impact, PATIENCE)
