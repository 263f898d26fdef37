"""GOLEM's search: least general generalisations of examples (Mitchell §10.3)."""
