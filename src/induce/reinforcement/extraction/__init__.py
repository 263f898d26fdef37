"""Policies as people read them: rules and trees over named features, with what they lose in return; exports."""
