"""Who repays a loan? A pruned tree and rules for made-up applicants, and the reasons for one decision.

The applicants come from a generator whose truth is known: the best possible accuracy is about 0.79.
"""

import polars as pl

import induce
from induce.data.generate import loans


def applicants(n, seed):
    X, y = loans(n, random_state=seed)
    return X.with_columns(pl.col("age").round(0), pl.col("balance").round(1)), y


X, y = applicants(1000, seed=1)
X_new, y_new = applicants(5000, seed=2)

full = induce.C45(pruning=None).fit(X, y)
pruned = induce.C45().fit(X, y)
small = induce.CART(random_state=1).fit(X, y)
rules = induce.C45Rules().fit(X, y)

learned = {"full tree": full, "pruned tree": pruned, "CART": small, "rules": rules}
for name, model in learned.items():
    estimate = induce.evaluate(model, X_new, y_new, cv=None)
    print(f"{name}: {model.hypothesis_.size()}, {estimate}")

print(f"\n{small.hypothesis_}\n")
print(f"{rules.hypothesis_}\n")

applicant = X_new[2:3]
print(", ".join(f"{name} {value}" for name, value in applicant.row(0, named=True).items()))
print(small.explain(applicant)[0])
print(rules.explain(applicant)[0])
