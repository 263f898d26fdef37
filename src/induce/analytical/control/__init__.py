"""Search control: conflicts of the means-ends planner, their explanations, and the utility of rules."""
