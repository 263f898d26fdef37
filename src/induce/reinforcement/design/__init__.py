"""Designing a learner: the problem, the four modules and the choices that make them (Mitchell, chapter 1)."""
