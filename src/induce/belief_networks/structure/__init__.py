"""Learning the arcs of networks: knowledge, scores of families, searches and tests of independence."""
