"""Learn from a shipped table: the tree, the rules, the error with its interval, and a picture.

Run as `python examples/demo.py [PATH]`; PATH is a picture file or a folder for it.
"""

import sys
from pathlib import Path

import induce


def main(path: Path) -> None:
    table = induce.dataset("iris")
    X, y = table
    print(table.description)

    tree = induce.C45().fit(X, y)
    print(f"\nA tree ({tree.hypothesis_.size()}):\n{tree.hypothesis_}")

    rules = induce.C45Rules().fit(X, y)
    print(f"\nRules ({rules.hypothesis_.size()}):\n{rules.hypothesis_}")

    print(f"\nWhy the tree says what it says of flower 78:\n{tree.explain(X[77:78])[0]}")

    print("\nHow far to trust them:")
    print(f"tree:  {induce.evaluate(tree, X, y)}")
    print(f"rules: {induce.evaluate(rules, X, y)}")

    picture = path / "demo.svg" if path.is_dir() else path
    tree.hypothesis_.draw().savefig(picture)
    print(f"\nThe tree as a picture: {picture}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
