"""Laws of impact: impulses of closed contacts from W and the velocities before."""
