"""MJCF, MuJoCo's files, through the model that MuJoCo compiles from them.

entry      `load_mjcf`: a file to a model        compiled   MuJoCo's model, names, errors
bodies     bodies, their inertia, frames          joints     joints, one or several on a body
relations  equality constraints                   forces     springs, dampers, actuators
drawn      geoms as shapes                        sensors    those that have their like here
losses     what is not taken over                 reading    what is known so far
"""
