"""Search algorithms for the nearest rows: all exact ones find the same neighbours."""
