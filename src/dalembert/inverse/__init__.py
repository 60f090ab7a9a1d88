"""Inputs from prescribed outputs: servo constraints."""
