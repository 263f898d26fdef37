"""The named systems: presets of the one rule learner."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from induce.data.schema import Schema
from induce.rules.learners import RuleLearner


class CN2(RuleLearner):
    """Clark and Niblett's CN2: rules by beam search, judged by an estimate of their precision (§10.2).

    Without parameters it learns a set of rules for each class, which vote (Clark and Boswell): any number of classes,
    nominal and numeric attributes. A missing value and a category not seen in training satisfy no test.

    Parameters
    ----------
    ordered : bool
        Whether the rules make a list, in which the first applicable rule decides.
    measure : {"laplace", "m-estimate", "entropy", "relative-frequency", "foil-gain"}
        PERFORMANCE of a rule: "entropy" is that of the first CN2 and of Mitchell's Table 10.2, "laplace" that of the
        second.
    significance : float, optional
        The level of the likelihood-ratio test that a rule must pass; None: no test.
    m, beam_width, max_length, max_rules, min_coverage, nominal
        As for `RuleLearner`.
    require, forbid, monotone, rules, class_weight, schema
        As for `RuleLearner`.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> print(CN2(ordered=True, measure="entropy").fit(X, y).hypothesis_)
    IF Outlook = Overcast THEN Yes (4/4)
    IF Temperature = Hot THEN No (2/2)
    IF Humidity = Normal AND Outlook = Sunny THEN Yes (2/2)
    IF Outlook = Sunny THEN No (1/1)
    IF Wind = Weak THEN Yes (3/3)
    DEFAULT No (2/2)
    """

    def __init__(
        self,
        *,
        ordered: bool = False,
        measure: str = "laplace",
        significance: float | None = None,
        m: float = 2.0,
        beam_width: int = 5,
        max_length: int | None = None,
        max_rules: int | None = None,
        min_coverage: float = 1,
        nominal: str = "equal",
        require: Iterable[Any] = (),
        forbid: Iterable[Any] = (),
        monotone: Mapping[str, str] | None = None,
        rules: Iterable[Any] = (),
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        super().__init__(
            ordered=ordered,
            measure=measure,
            significance=significance,
            m=m,
            beam_width=beam_width,
            max_length=max_length,
            max_rules=max_rules,
            min_coverage=min_coverage,
            nominal=nominal,
            require=require,
            forbid=forbid,
            monotone=monotone,
            rules=rules,
            class_weight=class_weight,
            schema=schema,
        )


class AQ(RuleLearner):
    """Michalski's AQ: for each class, complexes that cover one seed after the other (§10.2.2).

    A seed is the first example of the class that no complex covers. The star of a seed is what a beam search finds
    when it adds only tests that the seed passes; its best complex is the one with the largest share of the class
    among all examples, and of those the one that covers the most examples that none covers yet. A missing value and
    a category not seen in training satisfy no test.

    Parameters
    ----------
    beam_width : int
        How many complexes of a star are kept at each step.
    nominal : {"equal", "not-equal", "sets"}
    max_length, max_rules, min_coverage, require, forbid, monotone, rules, class_weight, schema
        As for `RuleLearner`.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> print(AQ().fit(X, y).hypothesis_)
    IF Outlook = Overcast THEN Yes (4/4)
    IF Wind = Weak AND Outlook = Rain THEN Yes (3/3)
    IF Humidity = Normal AND Outlook = Sunny THEN Yes (2/2)
    IF Outlook = Sunny AND Humidity = High THEN No (3/3)
    IF Wind = Strong AND Outlook = Rain THEN No (2/2)
    DEFAULT Yes (0/0)
    """

    def __init__(
        self,
        *,
        beam_width: int = 5,
        nominal: str = "equal",
        max_length: int | None = None,
        max_rules: int | None = None,
        min_coverage: float = 1,
        require: Iterable[Any] = (),
        forbid: Iterable[Any] = (),
        monotone: Mapping[str, str] | None = None,
        rules: Iterable[Any] = (),
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        super().__init__(
            measure="relative-frequency",
            search="example-driven",
            judge_on="all",
            ties="coverage",
            beam_width=beam_width,
            nominal=nominal,
            max_length=max_length,
            max_rules=max_rules,
            min_coverage=min_coverage,
            require=require,
            forbid=forbid,
            monotone=monotone,
            rules=rules,
            class_weight=class_weight,
            schema=schema,
        )


class PRISM(RuleLearner):
    """Cendrowska's PRISM: for each class, rules made exact by the test with the largest share of the class.

    A rule gets the test that leaves the largest share of its class, of several the one that leaves the most examples,
    until it covers examples of that class only. A missing value and a category not seen in training satisfy no test.

    Parameters
    ----------
    max_length, max_rules, min_coverage, require, forbid, monotone, rules, class_weight, schema
        As for `RuleLearner`.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> print(PRISM().fit(X, y).hypothesis_)
    IF Outlook = Overcast THEN Yes (4/4)
    IF Humidity = Normal AND Wind = Weak THEN Yes (4/4)
    IF Temperature = Mild AND Humidity = Normal THEN Yes (2/2)
    IF Outlook = Rain AND Wind = Weak THEN Yes (3/3)
    IF Outlook = Sunny AND Humidity = High THEN No (3/3)
    IF Outlook = Rain AND Wind = Strong THEN No (2/2)
    DEFAULT Yes (0/0)
    """

    def __init__(
        self,
        *,
        max_length: int | None = None,
        max_rules: int | None = None,
        min_coverage: float = 1,
        require: Iterable[Any] = (),
        forbid: Iterable[Any] = (),
        monotone: Mapping[str, str] | None = None,
        rules: Iterable[Any] = (),
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        super().__init__(
            measure="relative-frequency",
            ties="coverage",
            beam_width=1,
            max_length=max_length,
            max_rules=max_rules,
            min_coverage=min_coverage,
            require=require,
            forbid=forbid,
            monotone=monotone,
            rules=rules,
            class_weight=class_weight,
            schema=schema,
        )
