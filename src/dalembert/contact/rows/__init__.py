"""Rows of a step: joints, contacts, one-sided rows, drives."""
