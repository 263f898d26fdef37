"""Structure learning: knowledge, family scores, searches and independence tests."""
