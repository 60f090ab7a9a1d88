"""Runs with located events: smooth phases, guards, impacts, decisions."""
