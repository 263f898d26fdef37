"""wittgenstein's rules for two classes, run by the Python that has it; the rarer class is the positive one."""

from typing import Any

import numpy as np
import pandas as pd
import wittgenstein
from serving import Given, serve

MISSING = "?"


class Wittgenstein:
    """`RIPPER` and `IREP` with their defaults, and a seed."""

    def prepared(self, given: Given) -> Any:
        columns = {
            name: values
            if domain is None
            else np.append(domain, MISSING)[np.nan_to_num(values, nan=-1).astype(int)]
            for name, domain, values in zip(given.names, given.domains, given.X.T, strict=True)
        }
        return pd.DataFrame(columns), given.y

    def learned(self, name: str, table: Any) -> Any:
        X, y = table
        rarer = int(np.bincount(y, minlength=2).argmin())
        model = getattr(wittgenstein, name)(random_state=0)
        model.fit(X, y=y == rarer, pos_class=True)
        return model, rarer

    def predicted(self, model: Any, table: Any) -> Any:
        learned, rarer = model
        return np.where(learned.predict(table[0]), rarer, 1 - rarer)

    def size(self, model: Any) -> tuple[int, int]:
        found = model[0].ruleset_.rules
        return len(found), sum(len(rule.conds) for rule in found)


serve(Wittgenstein())
