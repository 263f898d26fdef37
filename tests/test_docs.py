"""The documentation is true: its code runs, prints what it says it prints. `make docs` builds the site.

A ```python block is run; a ```text block right after it is what it prints. In a ```console block every
`$ induce …` is run and must print the lines under it; other commands are not run. A block after a comment
`<!-- file: NAME -->` is written to that file. The blocks of a page share one namespace and one empty folder.
`...` stands for anything. Pages that take long run in `make test-all` only.
"""

import ast
import contextlib
import doctest
import io
import re
import shlex
import tomllib
from itertools import zip_longest
from pathlib import Path

import matplotlib
import pytest

from induce.cli import main
from induce.core.declarations import PACKAGES, learners

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
FOLDERS = (DOCS, DOCS / "guides", DOCS / "coming-from")  # the others are written when the site is built
PAGES = {
    path.relative_to(ROOT).as_posix(): path
    for path in [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *(page for folder in FOLDERS for page in sorted(folder.glob("*.md"))),
    ]
}
SLOW = {
    f"docs/{name}.md"
    for name in (
        "comparing",
        "concepts",
        "curves",
        "decisions",
        "ensembles",
        "evaluation",
        "experiments",
        "faces",
        "formulas",
        "function-approximation",
        "guides/comparing",
        "guides/sequences",
        "logic",
        "mixtures",
        "more-trees",
        "online",
        "reinforcement",
        "relational",
        "sequences",
        "structure",
        "theory",
    )
}
LONG_LOOPS = {
    "README.md",
    "docs/coming-from/scikit-learn.md",
    "docs/designing-a-learner.md",
    "docs/guides/formulas.md",
    "docs/guides/own-learner.md",
    "docs/guides/probabilities.md",
    "docs/kernels.md",
    "docs/neural-networks.md",
}
FENCE = re.compile(r"(?:^<!-- file: (\S+) -->\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TOCTREE = re.compile(r"^:::\{toctree\}\n(.*?)^:::$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)[^)]*\)")


def blocks(text):
    """Yield every fenced block: its file name, language, content, and the output shown right after it."""
    found = list(FENCE.finditer(text))
    for match, after in zip_longest(found, found[1:]):
        follows = after and after[2] == "text" and not text[match.end() : after.start()].strip()
        yield match[1], match[2], match[3], after[3] if follows else ""


def same(got, shown, what):
    agrees = doctest.OutputChecker().check_output(shown, got, doctest.ELLIPSIS)
    assert agrees, f"{what}\n--- shown\n{shown}--- printed\n{got}"


@contextlib.contextmanager
def printed():
    """Collect what is printed, bytes and notes included."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    collected = []
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        yield collected
    stream.flush()
    collected.append(stream.buffer.getvalue().decode())


def run_console(block):
    for command in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, shown = command.partition("\n")
        name, *arguments = shlex.split(line)
        if name == "induce":
            with printed() as output:
                main(arguments)
            same(output[0], shown, line)


def marked(page):
    """Return a page with what it takes: the slow ones run in `make test-all` only."""
    if page in SLOW:
        return pytest.param(page, marks=[pytest.mark.slow, pytest.mark.compiled])
    return pytest.param(page, marks=pytest.mark.compiled) if page in LONG_LOOPS else page


@pytest.mark.filterwarnings("ignore::induce.Note")
@pytest.mark.parametrize("page", map(marked, PAGES))
def test_page_is_true(page, tmp_path, monkeypatch):
    matplotlib.use("agg")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    namespace = {"__name__": "__main__"}
    for file, language, block, shown in blocks(PAGES[page].read_text(encoding="utf-8")):
        if file:
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            Path(file).write_text(block, encoding="utf-8")
        elif language == "python":
            with printed() as output:
                exec(compile(block, page, "exec"), namespace)
            same(output[0], shown, block)
        elif language == "console":
            run_console(block)


def test_links_lead_somewhere():
    dead = [
        (page, target)
        for page, path in PAGES.items()
        for target in LINK.findall(path.read_text(encoding="utf-8"))
        if "://" not in target
        and not (path.parent / target).exists()
        and not is_written(path.parent / target)
    ]
    assert dead == []


def is_written(path):
    """Say whether a page is written from declarations, or a picture drawn, when the site is built."""
    if path.parent == DOCS / "books" and path.suffix == ".svg":
        from induce.textbook.pictures import PICTURES

        return path.stem in PICTURES
    names = {"index", "bibliography", *PACKAGES, *(entry.name for entry in learners())}
    return path.parent == DOCS / "api" and path.suffix == ".rst" and path.stem in names


def test_every_page_is_in_the_navigation():
    """Sphinx says so too, in `make docs`."""
    listed = set()
    for path in PAGES.values():
        for block in TOCTREE.findall(path.read_text(encoding="utf-8")):
            names = [line for line in block.splitlines() if line and not line.startswith(":")]
            listed |= {DOCS / f"{name}.md" for name in names}
    pages = {path for path in PAGES.values() if path.is_relative_to(DOCS)}
    assert pages - listed == {DOCS / "index.md"}


def test_the_picture_of_choices_names_learners():
    text = (DOCS / "_ext" / "which_learner.py").read_text(encoding="utf-8")
    choices = next(node.value for node in ast.parse(text).body if isinstance(node, ast.Assign))
    wants = ast.literal_eval(choices)
    names = {name for ways in wants.values() for way in ways.values() for name in way.values()}
    assert names <= {entry.name for entry in learners()}


def test_no_page_names_a_machine():
    machine = re.compile(r"/(home|work|tmp|root|Users)/")
    assert [page for page, path in PAGES.items() if machine.search(path.read_text(encoding="utf-8"))] == []


def test_every_public_name_is_documented():
    import induce

    text = "\n".join(path.read_text(encoding="utf-8") for path in PAGES.values())
    assert [name for name in induce.__all__ if not re.search(rf"\b{name}\b", text)] == []


def test_every_textbook_result_is_listed():
    from induce.textbook import results

    text = (ROOT / "docs" / "textbook.md").read_text(encoding="utf-8")
    assert [result.id for result in results() if f"`{result.id}`" not in text] == []


def test_the_slow_pages_are_there():
    assert set(PAGES) >= SLOW | LONG_LOOPS


def test_one_version_everywhere():
    import induce

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert project["version"] == induce.__version__
    assert f"\nversion: {induce.__version__}\n" in citation
    assert re.search(r"^## (\S+)", changes, re.MULTILINE)[1] == induce.__version__
