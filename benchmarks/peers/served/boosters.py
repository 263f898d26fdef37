"""LightGBM's stumps and InterpretML's boosted shapes on one table: ``boosters.py TRAIN.csv TEST.csv TARGET ROUNDS``.

It prints one line of JSON: the test error and the seconds of learning of each.
"""

import json
import sys
import time
import warnings

import lightgbm
import pandas as pd
from interpret.glassbox import ExplainableBoostingClassifier


def main(train: str, test: str, target: str, rounds: str) -> None:
    tables = [pd.read_csv(path, na_values="?", skipinitialspace=True) for path in (train, test)]
    rows = [table.drop(columns=target) for table in tables]
    answers = [table[target].str.strip(".") for table in tables]
    both = pd.concat(rows)
    for name in both.select_dtypes(exclude="number"):
        kind = pd.CategoricalDtype(sorted(both[name].dropna().unique()))
        rows = [each.assign(**{name: each[name].astype(kind)}) for each in rows]
    learners = {
        "LightGBM stumps": lightgbm.LGBMClassifier(
            n_estimators=int(rounds), num_leaves=2, learning_rate=0.3, n_jobs=1, verbose=-1
        ),
        "EBM of one bag, without interactions": ExplainableBoostingClassifier(
            interactions=0, outer_bags=1, n_jobs=1, random_state=0
        ),
    }
    found = {}
    warnings.simplefilter("ignore")
    for name, learner in learners.items():
        plain = [each.astype(dict.fromkeys(each.select_dtypes("category"), str)) for each in rows]
        given = rows if name.startswith("LightGBM") else plain
        start = time.perf_counter()
        learner.fit(given[0], answers[0])
        seconds = time.perf_counter() - start
        wrong = (learner.predict(given[1]) != answers[1].to_numpy()).mean()
        found[name] = {"error": float(wrong), "seconds": seconds}
    print(json.dumps(found))


main(*sys.argv[1:])
