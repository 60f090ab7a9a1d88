"""Contacts of a run with located events: the phase between two events (contact 20)."""
