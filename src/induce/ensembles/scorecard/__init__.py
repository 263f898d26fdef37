"""Scorecards: boosted stumps added up to points for each attribute."""
