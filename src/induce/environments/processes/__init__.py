"""Example decision processes: a taxi, a store, a machine, an elevator."""
