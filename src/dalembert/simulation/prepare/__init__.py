"""From a model to everything that a run of it needs: `prepare(model, wanted) -> Setup`."""
