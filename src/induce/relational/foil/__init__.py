"""FOIL's search: literal by literal, by the gain of each over bindings (Mitchell §10.5)."""
