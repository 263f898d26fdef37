"""Decision processes of everyday work: a taxi, a store, a machine, an elevator."""
