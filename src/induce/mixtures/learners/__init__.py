"""The learners of mixtures and clusters."""
