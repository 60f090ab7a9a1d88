"""Sensors: those of joints, and of sites and bodies seen from the world."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from dalembert.importers.mjcf.reading import Reading, matrix
from dalembert.model.basics.frame import World
from dalembert.model.sensors.imu import IMU
from dalembert.model.sensors.joint_sensor import JointSensor
from dalembert.model.sensors.pose_sensor import PoseSensor
from dalembert.model.sensors.twist_sensor import TwistSensor


def add_sensors(reading: Reading) -> None:
    """Every sensor that has its like here; the others are told."""
    m, c = reading.m, reading.c
    others, shifted = [], []
    for k in range(m.nsensor):
        name = c.name("sensor", k)
        made = _sensor(reading, k, reading.element_names.take(name))
        if made is None:
            others.append(name)
            continue
        added = reading.attempt("sensor", name, partial(reading.model.add_sensor, made))
        if added and (m.sensor_noise[k] or m.sensor_cutoff[k] or m.sensor_delay[k]):
            shifted.append(name)
    reading.lose(
        "sensor",
        others,
        "sensors of its kind are not taken over; a Solution gives positions, velocities and forces "
        "of everything.",
    )
    reading.lose("noise, cutoff or delay of sensor", shifted, "sensors are exact here.")


def _sensor(reading: Reading, k: int, name: str) -> Any:
    m, of = reading.m, reading.c.mj.mjtSensor
    kind, target = int(m.sensor_type[k]), int(m.sensor_objid[k])
    if kind in (int(of.mjSENS_JOINTPOS), int(of.mjSENS_JOINTVEL)):
        at = reading.coordinates.get(target)
        if at is None or not at.is_named or at.sign != 1.0 or at.zero != 0.0:
            return None  # its value would be another one
        return JointSensor(at.joint, coordinate=str(at.which), name=name)
    frame = None if m.sensor_refid[k] >= 0 else _frame(reading, k)
    if frame is None or isinstance(frame.body, World):
        return None
    if kind in (int(of.mjSENS_ACCELEROMETER), int(of.mjSENS_GYRO)):
        return IMU(frame, name=name)
    if kind in (int(of.mjSENS_FRAMEPOS), int(of.mjSENS_FRAMEQUAT)):
        return PoseSensor(frame, name=name)
    if kind in (int(of.mjSENS_FRAMELINVEL), int(of.mjSENS_FRAMEANGVEL)):
        return TwistSensor(frame, name=name)
    if kind == int(of.mjSENS_VELOCIMETER):
        return TwistSensor(frame, axes="body", name=name)
    return None


def _frame(reading: Reading, k: int) -> Any:
    """The frame of a site or body; a body's own, or that of its moments."""
    m, kinds = reading.m, reading.c.mj.mjtObj
    kind, target = int(m.sensor_objtype[k]), int(m.sensor_objid[k])
    if kind == int(kinds.mjOBJ_SITE):
        return reading.sites[target]
    if kind == int(kinds.mjOBJ_XBODY):
        return reading.places[target].at(np.zeros(3))
    if kind == int(kinds.mjOBJ_BODY):
        return reading.places[target].at(m.body_ipos[target], matrix(m.body_iquat[target]))
    return None
