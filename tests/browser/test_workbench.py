"""The workbench as a person uses it."""

import os
import signal
from pathlib import Path

import polars as pl
import pytest

from tests.browser.conftest import Served

pytestmark = pytest.mark.browser
HOSTILE = "<img src=x onerror=\"document.title='hit'\">"


def opened(page, address, table):
    """Open a shipped table or a file on the first page."""
    page.goto(address)
    if isinstance(table, Path):
        page.set_input_files("input[type=file]", table)
    else:
        page.click(f"main li button:text-is('{table}')")
    page.wait_for_selector("text=Learn →")


def learned(page, learner=None):
    """Go from the Data page to a hypothesis."""
    page.click("text=Learn →")
    if learner:
        page.goto(page.url + f"/{learner}")
        page.wait_for_selector(f"text=Run {learner}")
    page.click("button.main")
    page.click("text=Hypothesis →")


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A workbench that was started with a file, and may be killed."""
    path = tmp_path_factory.mktemp("own") / "my.csv"
    rows = [("sunny", "high", "no"), ("sunny", "low", "yes"), ("rain", "high", "yes"), ("rain", "low", "yes")]
    columns = ["outlook", "humidity", "play"]
    pl.DataFrame(rows * 10, schema=columns, orient="row").write_csv(path)
    found = Served(path.parent / "bench", str(path))
    yield found
    found.end()


def test_from_a_file_to_tree_error_and_picture_in_five_clicks(page, own):
    page.goto(own.address)
    clicks = 0
    for what in ("text=Learn →", "button.main", "text=Hypothesis →"):
        page.click(what)
        clicks += 1
    page.wait_for_selector("induce-tree [role=treeitem] >> text=humidity")
    assert page.locator("induce-error p").first.inner_text().startswith("error 0")
    with page.expect_download() as download:
        page.click("a:text-is('svg')")
        clicks += 1
    assert b"<svg" in Path(download.value.path()).read_bytes()
    assert clicks <= 5


FOCUSED = """() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at?.getAttribute("role") === "tree" ? "tree" : (at?.innerText ?? "").trim();
}"""


def reached(page, text):
    """Press Tab until an element with this text, or the tree, has the focus."""
    for _ in range(300):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED).startswith(text):
            return
    pytest.fail(f"no Tab leads to {text!r}")


def test_from_a_table_to_an_explanation_by_keyboard(page, shared):
    page.goto(shared)
    page.wait_for_selector("text=Shipped tables")
    reached(page, "play-tennis")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Learn →")
    reached(page, "Learn →")
    page.keyboard.press("Enter")
    page.wait_for_selector("button.main")
    reached(page, "Run ")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Hypothesis →")
    reached(page, "Hypothesis →")
    page.keyboard.press("Enter")
    page.wait_for_selector("induce-tree [role=treeitem]")
    shown = page.locator("induce-tree [role=treeitem]").count()
    reached(page, "tree")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(
        "n => document.querySelectorAll('induce-tree [role=treeitem]').length < n", arg=shown
    )
    reached(page, "Explain")
    page.keyboard.press("Enter")
    page.wait_for_selector(".contrast")


def test_a_game_is_learned_and_played_by_keyboard(page, shared):
    page.goto(shared)
    page.wait_for_selector("text=Shipped tables")
    reached(page, "tic-tac-toe")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Learn →")
    reached(page, "Learn →")
    page.keyboard.press("Enter")
    page.wait_for_selector("button.main")
    reached(page, "Parameters")
    page.keyboard.press("Enter")
    field = page.locator("label:has-text('games') input").first
    field.focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("20")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Hypothesis →")
    page.goto(page.url.split("/learn")[0] + "/play")
    page.wait_for_selector(".moves button")
    reached(page, "5")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Its move:")


def test_what_if_lights_the_path_and_names_the_smallest_change(page, shared):
    opened(page, shared, "play-tennis")
    learned(page)
    page.click("button:text-is('Explain')")
    page.wait_for_selector("text=Yes instead of No if Humidity = Normal instead of High")
    assert page.locator("induce-tree .lit").count() == 3
    page.check("[aria-label='Humidity cannot change']")
    page.wait_for_selector("text=Yes instead of No if Outlook = Overcast instead of Sunny")
    page.select_option("[aria-label=Wind]", "Strong")
    page.locator("induce-tree [role=treeitem]").nth(1).click()
    page.wait_for_selector("text=5 rows in this part, 0 misclassified")


def test_rules_sort_and_filter(page, shared):
    opened(page, shared, "play-tennis")
    learned(page, "CN2")
    lines = page.locator("induce-rules tbody tr")
    page.wait_for_selector("induce-rules tbody tr")
    before = lines.count()
    page.fill("induce-rules input", "overcast")
    assert 1 < lines.count() < before
    page.fill("induce-rules input", "")
    page.click("induce-rules th button >> text=rows")
    counts = [
        float(text) for text in page.locator("induce-rules tbody td:nth-child(2)").all_inner_texts()[:-1]
    ]
    assert counts == sorted(counts, reverse=True)


def test_names_and_values_with_markup_are_text(page, shared, tmp_path):
    path = tmp_path / "hostile.csv"
    values = [HOSTILE, "<b>bold</b>", "plain"] * 8
    frame = {
        f"{HOSTILE} column": values,
        "size": list(range(24)),
        "class": [f"<i>{value[:3]}</i>" for value in values],
    }
    pl.DataFrame(frame).write_csv(path)
    opened(page, shared, path)
    page.wait_for_selector(f"th >> text={HOSTILE} column")
    learned(page)
    page.wait_for_selector("induce-tree [role=treeitem]")
    page.click("button:text-is('Explain')")
    page.wait_for_selector(".contrast")
    assert page.title() == "induce workbench"
    assert page.locator("main img, main b:text-is('bold'), main i").count() == 0


def test_columns_can_be_changed_and_survive_a_restart(page, own):
    address = own.address
    opened(page, address, "play-tennis")
    page.select_option("[aria-label='kind of Wind']", "ignore")
    page.wait_for_selector("[aria-label='kind of Wind'] option[value=ignore][selected]", state="attached")
    learned(page)
    page.wait_for_selector("induce-tree")
    own.process.kill()
    page.wait_for_selector("text=The workbench does not respond")
    own.start()
    assert own.address == address  # so that the open page finds it again
    page.wait_for_selector("text=The workbench does not respond", state="hidden")
    page.wait_for_selector("induce-tree [role=treeitem]")
    page.click("nav >> text=Data")
    page.wait_for_selector("[aria-label='kind of Wind']")
    assert page.input_value("[aria-label='kind of Wind']") == "ignore"
    page.click("nav >> text=Hypothesis")
    page.wait_for_selector("induce-tree [role=treeitem]")
    assert "Wind" not in page.locator("induce-tree [role=tree]").inner_text()


def test_a_killed_worker_is_told(page, common):
    opened(page, common.address, "iris")
    page.click("text=Learn →")
    page.goto(page.url + "/NeuralNetworkClassifier")
    page.click("text=Run NeuralNetworkClassifier")
    page.wait_for_selector("progress")
    for child in (
        Path(f"/proc/{common.process.pid}/task/{common.process.pid}/children").read_text("utf-8").split()
    ):
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
            os.kill(int(child), signal.SIGKILL)
    page.wait_for_selector("text=failed: the worker process ended")


def test_candidate_elimination_is_played_and_changed(page, shared):
    page.goto(shared)
    page.click("text=Play an algorithm step by step")
    page.wait_for_selector("text=step 1 of 5")
    for _ in range(4):
        page.click("[aria-label=forward]")
    page.wait_for_selector("induce-boundaries >> text=⟨Sunny, Warm, ?, Strong, ?, ?⟩")
    page.select_option("[aria-label='EnjoySport of row 4']", "No")
    page.wait_for_selector("induce-boundaries >> text=⟨Sunny, Warm, ?, Strong, Warm, Same⟩")


def test_id3_is_played_by_keyboard_and_taken_away(page, shared, tmp_path):
    page.goto(shared)
    page.goto(shared.split("?")[0] + "#/play/id3")
    page.focus("[aria-label=forward]")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector("text=The learned tree.")
    with page.expect_download() as download:
        page.click("text=Download the lesson as a page")
    lesson = tmp_path / "lesson.html"
    download.value.save_as(lesson)
    page.goto(lesson.as_uri())
    page.click("[aria-label=forward]")
    page.wait_for_selector("text=Outlook separates Yes and No best")
    page.click("text=Learned hypothesis")
    assert "Humidity = Normal: Yes (2/2)" in page.locator("induce-player pre").inner_text()


def test_ten_thousand_nodes_are_a_few_rows(page, shared):
    page.goto(shared)
    page.wait_for_selector("h1")
    found = page.evaluate(
        """() => {
          const n = 10001, parent = [-1], text = [""];
          for (let k = 1; k < n; k++) { parent.push(Math.floor((k - 1) / 2)); text.push(`x${k} <= 1`); }
          const tree = document.createElement("induce-tree");
          document.querySelector("main").append(tree);
          tree.data = { target: "y", classes: ["a", "b"], parent, condition: text, tests: text, says: text,
            weight: parent.map(() => 2), counts: parent.map(() => [1, 1]), class: parent.map(() => 0) };
          tree.all(true);
          return [tree.rows.length, tree.shadowRoot.querySelectorAll("[role=treeitem]").length];
        }"""
    )
    assert found[0] == 10_001
    assert found[1] < 60


def test_an_experiment_runs_on_relative_files_and_its_report_has_styles(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = "humidity,play\n" + "high,no\nlow,yes\n" * 10
    for name in ("given.csv", "uploaded.csv"):
        Path(name).write_text(table, encoding="utf-8")
    served = Served(Path("bench"), "given.csv")
    try:
        for source in (None, tmp_path / "uploaded.csv", "play-tennis"):
            if source is None:
                page.goto(served.address)
                page.wait_for_selector("text=Learn →")
            else:
                page.goto("about:blank")
                opened(page, served.address, source)
            page.click("text=Learn →")
            page.click("summary:text-is('Experiment')")
            page.wait_for_function("() => document.querySelector('[aria-label=plan]').value")
            plan = page.input_value("[aria-label=plan]").replace("folds = 10", "folds = 2")
            page.fill("[aria-label=plan]", plan)
            page.click("button:text-is('Run the experiment')")
            page.wait_for_selector("text=Open the report")
            assert "failed" not in page.locator("main").inner_text()
        with page.expect_popup() as popup:
            page.click("text=Open the report")
        popup.value.wait_for_selector("table")
        assert popup.value.evaluate("() => getComputedStyle(document.body).maxWidth") != "none"
    finally:
        served.end()
