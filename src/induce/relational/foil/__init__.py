"""FOIL's search: literal by literal, by what each gains over bindings (Mitchell §10.5)."""
