"""RIPPER's rules: grown, pruned and optimised class by class."""
