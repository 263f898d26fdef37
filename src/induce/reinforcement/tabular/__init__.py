"""Values of states and actions in a table, learned by acting (Mitchell 13.3-13.5)."""
