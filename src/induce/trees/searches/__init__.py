"""Trees found by searches other than greedy growth: the shortest tree, look-ahead."""
