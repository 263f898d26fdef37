"""The tree of chapter 3 of Mitchell's Machine Learning, step by step."""

import induce

X, y = induce.dataset("play-tennis")

with induce.trace(only="split") as events:
    tree = induce.ID3().fit(X, y)

for event in events:
    gains = {name: scores["gain"] for name, scores in event["candidates"].items()}
    listed = ", ".join(f"{name} {gain:.3f}" for name, gain in gains.items())
    print(f"{'  ' * event['depth']}test {event['chosen']}: gains {listed}")

print(f"\n{tree.hypothesis_}\n")
print(f"{tree.hypothesis_.to_rules()}\n")

# nothing is known of the wind: a fraction of the morning goes down each branch
morning = X[3:4].with_columns(Wind=None)
print(tree.explain(morning)[0])
