"""Joints, one file each: the equations that hold between two frames (equations 5).

Every joint states its rows as formulas of the frames it connects; Jacobians and right-hand sides
follow by differentiation. A joint along an axis turns both of its frames so that their z is that
axis: at zero joint coordinate the two frames coincide.
"""

from dalembert.model.joints.compound import Compound
from dalembert.model.joints.constant_velocity import ConstantVelocity
from dalembert.model.joints.coupler import Coupler
from dalembert.model.joints.cylindrical import Cylindrical
from dalembert.model.joints.distance import Distance
from dalembert.model.joints.fixed import Fixed
from dalembert.model.joints.gear import Gear
from dalembert.model.joints.joint import Joint
from dalembert.model.joints.motion import Motion
from dalembert.model.joints.planar import Planar
from dalembert.model.joints.point_on_curve import PointOnCurve
from dalembert.model.joints.point_on_line import PointOnLine
from dalembert.model.joints.point_on_plane import PointOnPlane
from dalembert.model.joints.prismatic import Prismatic
from dalembert.model.joints.rack_pinion import RackPinion
from dalembert.model.joints.revolute import Revolute
from dalembert.model.joints.rolling import Rolling
from dalembert.model.joints.screw import Screw
from dalembert.model.joints.spherical import Spherical
from dalembert.model.joints.universal import Universal

JOINTS: dict[str, type[Joint]] = {
    kind.__name__: kind
    for kind in (
        Compound,
        ConstantVelocity,
        Coupler,
        Cylindrical,
        Distance,
        Fixed,
        Gear,
        Motion,
        Planar,
        PointOnCurve,
        PointOnLine,
        PointOnPlane,
        Prismatic,
        RackPinion,
        Revolute,
        Rolling,
        Screw,
        Spherical,
        Universal,
    )
}
"""Every joint by the name of its class."""

__all__ = ["JOINTS", "Joint", *JOINTS]
