"""Loads of a run, as parts are chosen by them."""
