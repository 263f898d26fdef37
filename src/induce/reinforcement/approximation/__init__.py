"""Action values that generalise over states: features, linear models, networks, clusters (Mitchell 13.6)."""
