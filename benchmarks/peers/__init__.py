"""Rule learners of other systems, each in a process of its own, with the face of any learner."""
