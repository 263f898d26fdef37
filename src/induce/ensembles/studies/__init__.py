"""Studies of ensembles."""
