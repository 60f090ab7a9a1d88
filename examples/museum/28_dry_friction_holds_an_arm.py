"""An arm that dry friction of its joint holds does not sink (google-deepmind/mujoco#2082)."""

import dalembert as dl


def arm(dry):
    model = dl.Model("arm")
    link = model.add_body("link", dl.Inertia.rod(mass=1.0, length=1.0))
    model.add_joint(dl.Revolute(model.world, link.at(x=-0.5), axis="-y", name="shoulder"))
    model.add_force(dl.JointFriction("shoulder", dry=dry, name="rubbing"))
    return model


LOAD = 9.81 / 2
holds = dl.simulate(arm(1.001 * LOAD), until=60.0, step=1e-2)
goes = dl.simulate(arm(0.5 * LOAD), until=0.1, step=1e-4)
sunk = abs(holds["shoulder.angle"]).max()
first = goes["shoulder.angle.dot"][100] / goes.t[100]
print(f"a thousandth above the load: sinks by {sunk:.1e} rad in a minute")
print(f"half the load: begins with {first:.4f} rad/s^2, by Newton {-0.5 * LOAD * 3:.4f}")
assert sunk < 1e-10
assert abs(first + 1.5 * LOAD) < 1e-3 * 1.5 * LOAD
