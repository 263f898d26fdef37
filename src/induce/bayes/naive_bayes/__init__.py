"""Naive Bayes (Mitchell §6.9, AIMA §20.2): counts of classes and of each column given the class."""
