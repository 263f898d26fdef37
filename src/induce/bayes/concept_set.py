"""Members of a version space as hypotheses with probabilities (Mitchell 6.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.bayes.hypothesis_set import PerHypothesis
from induce.bayes.labelled_set import LabelledSet
from induce.concepts.concept import Concept
from induce.concepts.language import Code, Language
from induce.core.errors import InputError
from induce.core.values import Value


class ConceptSet(LabelledSet):
    """The hypotheses of a concept language, or the members of a version space (Mitchell 6.3).

    With equal priors and no noise, the posterior of every consistent hypothesis is 1 / |VS|, and that of the
    others is 0.

    Parameters
    ----------
    language : Language
        Language of the concepts.
    codes : sequence or None
        Hypotheses as codes of the language; None for all of them.
    classes : pair
        Negative and positive class.
    prior : mapping, sequence, callable or None
        Prior probabilities, as for `HypothesisSet`; a function takes a `Concept`.
    noise : float
        Probability of a wrong label.

    Examples
    --------
    >>> import induce
    >>> from induce.concepts import Conjunctions
    >>> sport = induce.dataset("enjoy-sport")
    >>> concepts = ConceptSet(Conjunctions.over(sport.input_schema), None, ("No", "Yes"))
    >>> learned = concepts.posterior(zip(sport.X.rows(), sport.y, strict=True))
    >>> len(concepts.names), len(learned.map_hypotheses), round(learned[learned.map_hypothesis], 4)
    (973, 6, 0.1667)
    """

    def __init__(
        self,
        language: Language,
        codes: Sequence[Code] | None,
        classes: tuple[Value, Value],
        prior: PerHypothesis | None = None,
        noise: float = 0.0,
    ) -> None:
        self.language = language
        self.codes = language.listed() if codes is None else list(codes)
        if not self.codes:
            raise InputError("the version space is empty; give noise and the whole language instead")
        concepts = {language.text(code): Concept(language, code) for code in self.codes}
        if len(concepts) < len(self.codes):
            raise InputError("a hypothesis is listed twice; give each once")
        super().__init__(concepts, classes, prior, noise)

    def said(self, x: Any) -> NDArray[np.int64]:
        """Return the class that each concept assigns to an instance, given as a sequence of values."""
        cells = self.language.attributes.encode(x if hasattr(x, "columns") else [list(x)])
        return self.language.coverage(self.codes, cells)[:, 0].astype(np.int64)
