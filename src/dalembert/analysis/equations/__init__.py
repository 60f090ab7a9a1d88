"""Equations of motion at one state, with exact derivatives."""
