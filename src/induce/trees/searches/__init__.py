"""Trees by other searches than greedy growth: the shortest tree, look-ahead."""
