"""Sensors, one file each: what is read during a run and from its results."""

from dalembert.model.sensors.base import Sensor
from dalembert.model.sensors.effort_sensor import EffortSensor
from dalembert.model.sensors.force_sensor import ForceSensor
from dalembert.model.sensors.imu import IMU
from dalembert.model.sensors.joint_sensor import JointSensor
from dalembert.model.sensors.pose_sensor import PoseSensor
from dalembert.model.sensors.twist_sensor import TwistSensor

SENSORS: dict[str, type[Sensor]] = {
    kind.__name__: kind
    for kind in (EffortSensor, ForceSensor, IMU, JointSensor, PoseSensor, TwistSensor)
}
"""Every sensor by the name of its class."""

__all__ = ["SENSORS", "Sensor", *SENSORS]
