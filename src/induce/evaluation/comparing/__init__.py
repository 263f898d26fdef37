"""Comparisons: is one learner really better than another?"""
