"""RIPPER's rules: grown, pruned, optimised class by class."""
