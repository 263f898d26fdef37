"""Action values that generalise over states: features, networks, clusters, histories, extended actions (Mitchell 13.6)."""
