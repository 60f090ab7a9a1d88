"""Files to models: every element is converted, or an error with file, line and remedy.

native   YAML, JSON or TOML with formulas      schema     what such a file may contain
bodies   bodies, joints, forces of a file      elements   keys of joints and forces
source   a file as data with line numbers      values     kinds of values in them
readers  which reader for which suffix         comparing  whether two files say the same
"""
