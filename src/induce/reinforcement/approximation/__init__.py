"""Function approximation of action values: features, linear models, networks and clusters (Mitchell 13.6)."""
