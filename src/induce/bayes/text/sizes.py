"""Number of probabilities of a model of texts (Mitchell §6.10)."""

from __future__ import annotations

from induce.core.checks import at_least


def text_terms(n_classes: int, n_words: int, n_positions: int = 1) -> int:
    """Return the number of terms P(word at a position | class).

    Parameters
    ----------
    n_classes, n_words : int
        Number of classes, or of words of the vocabulary.
    n_positions : int
        Number of word positions in a text, if each has its own probabilities; 1 if they do not depend on the
        position.

    Examples
    --------
    >>> text_terms(2, 50_000, n_positions=111), text_terms(2, 50_000)
    (11100000, 100000)
    """
    for name, value in (("n_classes", n_classes), ("n_words", n_words), ("n_positions", n_positions)):
        at_least(name, value, 1, whole=True)
    return n_classes * n_positions * n_words
