"""Robotics: kinematics and dynamics of a model as functions of joint coordinates."""
