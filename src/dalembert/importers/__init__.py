"""Files to models: every element is converted, or an error with file, line and remedy.

native   YAML, JSON or TOML with formulas      schema   what such a file may contain
source   a file as data with line numbers
"""
