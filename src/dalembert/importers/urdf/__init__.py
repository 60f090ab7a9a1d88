"""URDF: robots as trees of links and joints.

reading  the file, safely, with line numbers    robot    what it says: links, joints, materials
tree     which links move as one                build    bodies, joints, forces of a model
visuals  shapes, colours, files of meshes       loops    joints that close the tree
writing  a model as URDF, where it can be one   entry    `load_urdf`
"""
