"""Motions with a closed form, to measure errors against."""

from __future__ import annotations

import numpy as np
from scipy.special import ellipj, ellipk

GRAVITY = 9.81


def pendulum_motion(t, amplitude=np.pi / 2, length=1.0):
    """(q, v) of the catalog pendulum, released at rest at `amplitude` from the downward vertical.

    sin(theta / 2) = k sn(K - w t), k = sin(amplitude / 2), w^2 = g / l; theta' from the energy.
    """
    t = np.asarray(t, dtype=float)
    w, k = np.sqrt(GRAVITY / length), np.sin(amplitude / 2)
    sn, cn, _, _ = ellipj(ellipk(k**2) - w * t, k**2)
    theta = 2 * np.arcsin(k * sn)
    # d/dt of sin(theta/2) = k sn:  theta' cos(theta/2) / 2 = -w k cn dn, and cos(theta/2) = dn
    rate = -2 * w * k * cn
    q = length * np.stack([np.sin(theta), -np.cos(theta)], axis=-1)
    v = length * rate[..., None] * np.stack([np.cos(theta), np.sin(theta)], axis=-1)
    return q, v
