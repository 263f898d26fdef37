"""Text classification (Mitchell §6.10): naive Bayes over words, and prototypes of word weights."""
