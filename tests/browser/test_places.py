"""Every source and its views in the browser."""

import json
import re
from pathlib import Path

import pytest

from tests.browser.walker import Walker

pytestmark = pytest.mark.browser


@pytest.fixture
def walker(page, shared):
    return Walker(page, shared)


def test_from_a_prolog_file_to_a_proof(walker, tmp_path):
    page = walker.page
    sheet = walker.open_family(tmp_path)
    walker.name_target()
    run = walker.learn(sheet, "FOIL")
    walker.go(f"{sheet}/hypothesis/{run}", "induce-clauses >> text=female(A)")
    page.fill("[aria-label=x0]", "eve")
    page.fill("[aria-label=x1]", "tom")
    page.click("button:text-is('Explain')")
    page.wait_for_selector(".proof >> text=parent(tom, eve)")
    page.click("induce-clauses button >> nth=0")
    page.wait_for_selector("text=3 rows in this part, 0 misclassified")


def test_an_environment_gives_a_policy_on_its_grid(walker):
    sheet = walker.sheet("cliff")
    run = walker.learn(sheet, "DynamicProgramming")
    walker.go(f"{sheet}/hypothesis/{run}", "induce-policy td")
    walker.page.click("induce-policy td button >> nth=0")
    walker.page.wait_for_selector("induce-policy >> text=value of each move from 0, 0")


def test_a_game_is_played_against_a_learned_player(walker):
    page = walker.page
    sheet = walker.sheet("tic-tac-toe")
    run = walker.learn(sheet, "GameLearner", games="20")
    walker.go(f"{sheet}/hypothesis/{run}", "text=Play against it")
    page.click("text=Play against it")
    page.click(".moves button:text-is('5')")
    page.wait_for_selector("text=Its move:")
    assert "worth" in page.locator("[aria-label='its evaluation']").inner_text()


def test_a_version_space_asks_until_it_knows(walker):
    page = walker.page
    sheet = walker.sheet("enjoy-sport")
    walker.go(f"{sheet}/play/ask", "text=Is this EnjoySport = Yes?")
    for answered in range(1, 10):
        page.click("button:text-is('No')")
        page.wait_for_selector(f"ol li >> nth={answered - 1}")
        if page.locator("text=The concept is identified.").count():
            break
    assert page.locator("text=The concept is identified.").count()
    page.reload()
    page.wait_for_selector("text=The concept is identified.")


def test_evidence_is_given_by_a_click(walker):
    page = walker.page
    sheet = walker.sheet("play-tennis")
    run = walker.learn(sheet, "StructureSearch")
    walker.go(f"{sheet}/hypothesis/{run}", "induce-network")
    line = page.locator("induce-network [aria-label^='Humidity = High']")
    before = line.get_attribute("aria-label")
    page.click("induce-network [aria-label^='PlayTennis = Yes']")
    page.wait_for_selector("induce-network >> text=No evidence")
    assert line.get_attribute("aria-label") != before


def test_runs_are_compared_tested_and_planned(walker):
    page = walker.page
    sheet = walker.sheet("iris")
    walker.post(f"/api/sheets/{sheet}/lock", share=0.25)
    for learner in ("C45", "NaiveBayes"):
        walker.learn(sheet, learner)
    walker.go(f"{sheet}/hypothesis/1", "text=Learning curve")
    page.select_option("[aria-label='compare with']", "2")
    page.wait_for_selector("text=Comparison of C45 and NaiveBayes")
    page.wait_for_selector("text=NaiveBayes and C45: no evidence of a difference")
    page.click("button:text-is('Learning curve')")
    page.wait_for_selector("induce-curve svg")
    page.click("button:text-is('Test on the locked rows')")
    page.wait_for_selector("text=The locked rows were used once; the access is logged.")
    page.reload()
    page.wait_for_selector("text=The locked rows were used once; the access is logged.")
    page.click("nav >> text=Learn")
    page.click("summary:text-is('Experiment')")
    expect = pytest.importorskip("playwright.sync_api").expect
    expect(page.locator("textarea")).to_have_value(re.compile("folds"))
    page.click("text=Run the experiment")
    page.wait_for_selector("text=Open the report")
    with page.expect_popup() as popup:
        page.click("text=Open the report")
    popup.value.wait_for_selector("table")


def test_rows_of_a_second_file_are_sent_through(walker, tmp_path):
    page = walker.page
    sheet = walker.sheet("play-tennis")
    run = walker.learn(sheet, "ID3")
    path = tmp_path / "second.csv"
    path.write_text(
        "Outlook,Temperature,Humidity,Wind,PlayTennis\nSunny,Hot,High,Weak,Yes\nRain,Mild,High,Weak,Yes\n",
        encoding="utf-8",
    )
    walker.go(f"{sheet}/hypothesis/{run}", "induce-tree [role=treeitem]")
    page.set_input_files("[aria-label='second file']", path)
    page.wait_for_selector("text=2 rows in second.csv, 1 misclassified")
    assert page.locator("tr.wrong td").first.inner_text() == "1"


def test_columns_get_orders_and_costs_in_a_schema_file(walker):
    page = walker.page
    sheet = walker.sheet("play-tennis")
    walker.go(f"{sheet}/data", "text=Learn →")
    page.click("tr:has-text('Temperature') summary")
    page.fill("[aria-label='order of Temperature']", "Cool, Mild, Hot")
    page.click("tr:has-text('Temperature') button:text-is('Set order')")
    page.wait_for_selector("summary:text-is('ordered')")
    page.click("tr:has-text('Temperature') summary:text-is('cost')")
    page.fill("[aria-label='cost of Temperature']", "2.5")
    page.click("tr:has-text('Temperature') button:text-is('Set')")
    page.wait_for_selector("summary:text-is('cost 2.5')")
    page.wait_for_selector("summary:text-is('ordered')")
    page.click("text=Missing values, schema")
    with page.expect_download() as download:
        page.click("text=Download the schema")
    schema = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert (schema["Temperature"]["ordered"], schema["Temperature"]["cost"]) == (True, 2.5)


def test_units_are_shown_in_the_tree(walker):
    page = walker.page
    sheet = walker.sheet("iris")
    walker.go(f"{sheet}/data", "text=Learn →")
    page.click("tr:has-text('petal width') summary")
    page.fill("[aria-label='unit of petal width']", "cm")
    page.click("tr:has-text('petal width') button:text-is('Set')")
    page.wait_for_selector("th:text-is('petal width (cm)')")
    run = walker.learn(sheet, "C45")
    walker.go(f"{sheet}/hypothesis/{run}", "induce-tree >> text=petal width <= 0.8 cm")
