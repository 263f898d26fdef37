"""Studies of relational learners."""
