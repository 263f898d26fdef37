"""Design of a game learner: the problem, the four modules and the design choices (Mitchell, chapter 1)."""
