"""A four-bar whose loop stays closed while a motor turns it hard (google-deepmind/mujoco#172).

A constant torque about a fixed axis is conservative: energy less torque times angle cannot change.
"""

import dalembert as dl

TORQUE = 300.0  # N m on links of 1 kg and 1 m

model = dl.Model("four-bar")
lengths = {"crank": 1.0, "coupler": 2.0, "rocker": 1.5}
ends = {}
for name, length in lengths.items():
    body = model.add_body(name, dl.Inertia.box(1.0, size=(length, 0.05, 0.05)))
    ends[name] = body.at(x=-length / 2), body.at(x=length / 2)
motor = model.add_joint(dl.Revolute(model.world, ends["crank"][0], axis="-y", name="motor"))
model.add_joint(dl.Revolute(ends["crank"][1], ends["coupler"][0], axis="-y", name="knee"))
model.add_joint(dl.Revolute(ends["coupler"][1], ends["rocker"][1], axis="-y", name="closing"))
model.add_joint(dl.Revolute(model.world.at(x=2.0), ends["rocker"][0], axis="-y", name="pivot"))
model.add_force(dl.Torque("crank", about="-y", value=TORQUE, name="drive"))
start = dl.assemble(model, hold={"motor": 1.0})

solution = dl.simulate(model, until=1.0, initial=start)
work = TORQUE * solution[motor.angle]
wrong = abs((solution.energy - work) - (solution.energy - work)[0]).max() / work.max()
turns, speed = solution[motor.angle][-1] / 6.283185307, solution[motor.angle.dot][-1]
print(f"{turns:.1f} turns, at last {speed:.0f} rad/s, loop open by {solution.worst['phi']:.1e} m")
print(f"energy gained and work of the motor differ by {wrong:.1e} of it")
assert speed > 200.0
assert solution.worst["phi"] < 1e-12
assert wrong < 1e-9
