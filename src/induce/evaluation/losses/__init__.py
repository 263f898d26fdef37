"""Losses: what a mistake costs, and what learners are measured by."""
