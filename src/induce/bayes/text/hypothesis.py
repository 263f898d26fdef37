"""Text hypothesis: word counts in each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from induce.bayes.naive_bayes.hypothesis import NaiveBayesModel
from induce.bayes.naive_bayes.words import WordsColumn
from induce.bayes.text.inputs import as_table, counts_of
from induce.data.table import encoded_columns


@dataclass(frozen=True, eq=False)
class TextNaiveBayesModel(NaiveBayesModel):
    """The most probable class of a text if its words are independent given the class (Mitchell §6.10).

    Parameters
    ----------
    schema, target, classes, class_counts, columns, class_alpha, given_priors
        Fields of `NaiveBayesModel`.

    See Also
    --------
    NaiveBayesModel : the parameters.
    """

    @property
    def words(self) -> WordsColumn:
        """Words of the first text column."""
        return cast(WordsColumn, self.columns[0])

    def encoded(self, X: Any) -> list[Any]:
        """Return the texts, or the word counts, in the form that the model of their column reads."""
        if self.words.tokeniser is None:
            return [counts_of(X, self.words.counts.vocabulary)]
        return list(encoded_columns(as_table(X), self.schema))
