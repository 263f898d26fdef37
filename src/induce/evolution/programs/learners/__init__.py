"""The learners of formulas and programs."""
