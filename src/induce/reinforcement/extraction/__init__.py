"""Readable policies: rules and trees over named features, with their loss in return, and exports."""
