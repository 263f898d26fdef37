"""Who repays a loan? A pruned tree and rules for made-up applicants, and the reasons for one decision.

The applicants come from a generator whose truth is known: the best possible accuracy is about 0.79.
"""

import induce
from induce.data.generate import loans

applicants = loans(1000, random_state=1)
X, y = applicants

full = induce.C45(pruning=None).fit(X, y)
pruned = induce.C45().fit(X, y)
small = induce.CART(random_state=1).fit(X, y)
rules = induce.C45Rules().fit(X, y)

new = loans(5000, random_state=2)
learned = {"full tree": full, "pruned tree": pruned, "CART": small, "rules": rules}
for name, model in learned.items():
    estimate = induce.evaluate(model, new.X, new.y, cv=None)
    print(f"{name}: {model.hypothesis_.size()}, {estimate}")

print(f"\n{small.hypothesis_}\n")
print(f"{rules.hypothesis_}\n")

applicant = new.X[:1]
print(", ".join(f"{name} {value}" for name, value in applicant.row(0, named=True).items()))
print(small.explain(applicant)[0])
print(rules.explain(applicant)[0])
