"""What roboticists ask of a model: kinematics and dynamics as functions of joint coordinates."""
