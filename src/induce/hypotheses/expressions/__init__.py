"""What a hypothesis computes, as a small immutable expression that every writer understands."""
