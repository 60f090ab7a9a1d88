"""A tree moving by itself: semi-implicit Euler steps in one compiled loop, to be timed."""

from dalembert._jit import kernel
from dalembert.mechanics.tree_aba import forward_dynamics
from dalembert.mechanics.tree_configuration import integrate
from dalembert.system.borders import OK


@kernel
def advance(tree, numbers, room, q, v, tau, a, h, steps):
    """Steps of  v <- v + h v',  q <- q (+) h v  under constant tau; the status of the last."""
    for _ in range(steps):
        status = forward_dynamics(tree, numbers, room, q, v, tau, a)
        if status != OK:
            return status
        for k in range(len(v)):
            v[k] += h * a[k]
        integrate(tree, q, v, h, q)
    return OK
