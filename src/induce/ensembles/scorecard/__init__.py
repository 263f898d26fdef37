"""Scorecards: boosted stumps summed to points for each attribute."""
