"""The page of the design explains every dependency, every layer and every contract."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")


def names(requirements):
    return {re.match(r"[\w.-]+", each)[0] for each in requirements} - {"induce"}


def test_dependencies_are_explained():
    needed = names(PROJECT["project"]["dependencies"])
    assert [name for name in sorted(needed) if not re.search(rf"\b{name}\b", PAGE)] == []


@pytest.mark.parametrize("extra", sorted(set(PROJECT["project"]["optional-dependencies"]) - {"all"}))
def test_extras_are_explained(extra):
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| .+ \|$", PAGE, re.MULTILINE)
    explained = dict(rows)[extra] if extra != "test" else " ".join(text for _, text in rows)
    wanted = names(PROJECT["project"]["optional-dependencies"][extra])
    assert [name for name in sorted(wanted) if name.lower() not in explained.lower()] == []


def test_layers_and_contracts_are_explained():
    contracts = PROJECT["tool"]["importlinter"]["contracts"]
    drawn = (ROOT / "docs" / "images" / "layers.svg").read_text(encoding="utf-8")
    packages = set(re.findall(r"induce\.(\w+)", " ".join(contracts[0]["layers"])))
    assert {name for name in packages if f"`{name}`" not in PAGE} == set()
    assert {name for name in packages if f">{name}<" not in drawn} == set()
    assert {contract["name"] for contract in contracts if contract["type"] == "reached_only_from"} == {
        "Only learners reach scikit-learn; hypotheses, data and model files do without"
    }
    assert "A second contract keeps scikit-learn out of hypotheses, data and model files" in PAGE


def test_decisions_are_listed():
    listed = set(re.findall(r"\(design/([\w-]+)\.md\)", PAGE))
    assert listed == {path.stem for path in (ROOT / "docs" / "design").glob("*.md")}
