"""Post-stabilisation: any integrator, then one or two corrections of fixed cost, no iteration.

    z <- z - F(z) h(z),     z = (q, v),   h = (Phi, Phi'),   F = diag(B (J B)^+, B (J B)^+)
    B = M^-1 J^T                                                            (methods 5.5)

Ascher, Chin, Petzold & Reich (1995); Ascher & Petzold (1998), section 10.2. They need independent
rows; the pseudoinverse does not. Both levels are corrected from the same look at
z, with one factorisation, which serves the second pass, too. With Z = h_z F, which is (1, 0; L, 1),
L = Phi'_q B (J B)^+, a pass leaves (1 - Z) h = (0, -L Phi) and squares; and (1 - Z)^2 = 0.

With an integrator of order p one pass leaves O(h^(2p+2)) of Phi and O(h^(p+1)) of Phi', two leave
O(h^(3p+3)) and O(h^(2p+2)), however long the run is. Choose it where every step must cost the same
and `BraunGoldfarb` is too coarse; `Projection` repeats until rounding.
"""

from dataclasses import dataclass

from dalembert._jit import border
from dalembert.enforcement.protocol import Method
from dalembert.errors import OptionError
from dalembert.mechanics.corrections import correction_of_place, correction_of_speed
from dalembert.mechanics.dense import PROJECTION_TOLERANCE
from dalembert.mechanics.motion import accelerate, displace, kinematic_map
from dalembert.system.borders import OK, RATING, STEPPING, evaluate, factor, residual
from dalembert.system.state_layout import State


@border(RATING)
def rates(state: State, t, h, q, v, qdot_out, vdot_out, lam_out):
    """q' = N v; v' from the constrained equations."""
    kinematic_map(state, q, v, qdot_out)
    return accelerate(state, t, q, v, vdot_out, lam_out)


@border(STEPPING)
def end_step(state: State, t, h, q, v):
    """z <- z - F h(z), as often as asked for, F that of the integrator's end."""
    evaluate(state, t + h, q, v)
    status = factor(state, PROJECTION_TOLERANCE)
    if status != OK:
        return status
    for _pass in range(state.method_flag):
        displace(state, 1.0, correction_of_place(state), q)
        change = correction_of_speed(state)
        for k in range(state.nv):
            v[k] += change[k]
        residual(state, t + h, q, v)
    state.seen = 1
    return OK


@dataclass(frozen=True)
class PostStabilisation(Method):
    """Correct both levels after each step, once or twice, without iteration.

    Parameters
    ----------
    passes : 1 or 2   corrections after a step of order p: velocities keep O(h^(p+1)) or O(h^(2p+2))
    """

    passes: int = 2

    levels = frozenset({"position", "velocity", "acceleration"})
    drift = "step"
    keeps_to_borders = True
    rates = rates
    end_step = end_step

    def __post_init__(self) -> None:
        if isinstance(self.passes, bool) or self.passes not in (1, 2):
            raise OptionError(f"PostStabilisation: passes is {self.passes!r}. Give 1 or 2.")

    def flag(self) -> int:
        return int(self.passes)
