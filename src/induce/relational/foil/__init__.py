"""FOIL's search: literals are added one at a time by their gain over bindings (Mitchell §10.5)."""
