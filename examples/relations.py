"""Which machines fail? First-order rules from two tables that refer to each other, and the proof of one prediction.

The machines are made up, and the truth is known: those with a pump that has run for more than 4000 hours fail, but
for every twentieth label, which is wrong.
"""

import numpy as np
import polars as pl

import induce

rng = np.random.default_rng(3)
machines = pl.DataFrame(
    {"machine": [f"m{number}" for number in range(150)], "hall": rng.choice(["north", "south"], 150)}
)
parts = pl.DataFrame(
    {
        "part": [f"p{number}" for number in range(450)],
        "machine": rng.choice(machines["machine"].to_numpy(), 450),
        "kind": rng.choice(["pump", "belt", "valve"], 450),
        "hours": rng.integers(100, 6000, 450),
    }
)
old_pumps = parts.filter((pl.col("kind") == "pump") & (pl.col("hours") > 4000))
fails = machines["machine"].is_in(old_pumps["machine"].to_list()).to_numpy() ^ (rng.random(150) < 0.05)

plant = induce.Relations({"machine": machines, "part": parts}, keys={"machine": "machine", "part": "part"})
print(f"{plant}\n")

known, new = machines[:120, ["machine"]], machines[120:, ["machine"]]
model = induce.Progol(plant, "fails").fit(known, fails[:120])
print(f"{model.hypothesis_}\n")

print(f"by cross-validation: {induce.evaluate(model, known, fails[:120])}")
print(f"on new machines: {induce.evaluate(model, new, fails[120:], cv=None)}\n")

predicted = model.predict(new)
print(new.with_columns(fails=predicted).filter(pl.col("fails")).head(3))
print(model.explain(new.filter(predicted))[0])
