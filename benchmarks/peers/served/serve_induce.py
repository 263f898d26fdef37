"""Our own learners in a process like those of the peers; ``CN2 {"ordered": true}`` has a parameter."""

import json
from typing import Any

import numpy as np
import polars as pl
from serving import Given, serve

import induce


class Induce:
    """Any learner of `induce` that learns rules."""

    def prepared(self, given: Given) -> Any:
        columns = [
            pl.Series(name, values, nan_to_null=True)
            if domain is None
            else pl.Series(name, [None if np.isnan(k) else domain[int(k)] for k in values], pl.Enum(domain))
            for name, domain, values in zip(given.names, given.domains, given.X.T, strict=True)
        ]
        said = [None if k < 0 else given.classes[k] for k in given.y]
        self._classes = given.classes
        return pl.DataFrame(columns), pl.Series("class", said, pl.Enum(given.classes))

    def learned(self, name: str, table: Any) -> Any:
        kind, _, parameters = name.partition(" ")
        return getattr(induce, kind)(**json.loads(parameters or "{}")).fit(*table)

    def predicted(self, model: Any, table: Any) -> Any:
        return [self._classes.index(str(value)) for value in model.predict(table[0])]

    def size(self, model: Any) -> tuple[int, int]:
        rules = model.hypothesis_.rules
        return len(rules), sum(len(rule.conditions) for rule in rules)


serve(Induce())
