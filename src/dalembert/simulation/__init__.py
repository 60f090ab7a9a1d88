"""From a model to a solution: check, build, make consistent, run, wrap."""
