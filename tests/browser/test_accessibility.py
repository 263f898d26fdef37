"""Every place, view and player, light and dark, wide and narrow: it fits, and axe finds nothing serious."""

import pytest

from tests.browser.walker import Inspector, Walker

pytestmark = pytest.mark.browser
VIEWS = {
    "C45": "tree",
    "CN2": "rules",
    "NaiveBayes": "nomogram",
    "StructureSearch": "network",
    "NeuralNetworkClassifier": "neural",
    "RandomForest": "votes",
    "KMeans": "clusters",
    "FOIL": "clauses",
}


@pytest.fixture
def walker(page, shared):
    return Walker(page, shared)


@pytest.fixture
def inspector(page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = Inspector(page, axe.axe_script)
    yield found
    assert found.found == []


def test_the_places_of_a_table(walker, inspector):
    page = walker.page
    inspector.check("home")
    sheet = walker.sheet("play-tennis")
    walker.go(f"{sheet}/data", "text=Day is nominal")
    page.click("text=Missing values, schema")
    for each in page.locator("tr:has-text('Temperature') summary").all():
        each.click()
    inspector.check("data")
    walker.learn(sheet, "C45")
    walker.go(f"{sheet}/learn", "text=Hypothesis →")
    page.click("summary:text-is('Parameters')")
    inspector.check("learn")
    page.click("text=Hypothesis →")
    page.click("button:text-is('Explain')")
    page.wait_for_selector(".contrast")
    page.locator("induce-tree [role=treeitem]").nth(2).click()
    page.wait_for_selector("text=rows in this part")
    page.click("text=The same in Python")
    inspector.check("hypothesis")


def test_the_views_of_hypotheses(walker, inspector):
    sheet = walker.sheet("play-tennis")
    for learner, view in VIEWS.items():
        run = walker.learn(sheet, learner)
        walker.go(f"{sheet}/hypothesis/{run}", f"induce-{view}")
        walker.page.click("button:text-is('All rows')")
        walker.page.wait_for_selector("[aria-label='rows of the part']")
        inspector.check(learner)


def test_a_version_space_and_its_questions(walker, inspector):
    space = walker.sheet("enjoy-sport")
    run = walker.learn(space, "CandidateElimination")
    walker.go(f"{space}/hypothesis/{run}", "induce-lattice")
    inspector.check("lattice")
    walker.go(f"{space}/play/ask", "text=Is this EnjoySport")
    walker.page.click("button:text-is('No')")
    walker.page.wait_for_selector("ol li")
    inspector.check("dialogue")


def test_the_places_of_relations(walker, inspector, tmp_path):
    page = walker.page
    sheet = walker.open_family(tmp_path)
    inspector.check("relations without a target")
    walker.name_target()
    inspector.check("relations")
    first = walker.learn(sheet, "FOIL")
    walker.learn(sheet, "RelationalLearner")
    walker.go(f"{sheet}/learn", "text=Hypothesis →")
    inspector.check("learn from relations")
    walker.go(f"{sheet}/hypothesis/{first}", "induce-clauses")
    page.fill("[aria-label=x0]", "eve")
    page.fill("[aria-label=x1]", "tom")
    page.click("button:text-is('Explain')")
    page.wait_for_selector(".proof")
    page.select_option("[aria-label='compare with']", index=1)
    page.wait_for_selector("[aria-label=comparison]")
    inspector.check("clauses with a proof and a comparison")


def test_the_places_of_an_environment(walker, inspector):
    grid = walker.sheet("cliff")
    walker.go(f"{grid}/data", "text=Learn →")
    inspector.check("environment")
    run = walker.learn(grid, "DynamicProgramming")
    walker.go(f"{grid}/learn", "text=Hypothesis →")
    inspector.check("learn in an environment")
    walker.go(f"{grid}/hypothesis/{run}", "induce-policy")
    inspector.check("policy")


def test_the_places_of_a_game(walker, inspector):
    page = walker.page
    game = walker.sheet("tic-tac-toe")
    walker.go(f"{game}/data", "text=Learn →")
    inspector.check("game")
    walker.go(f"{game}/play", "text=No player has been learned yet")
    inspector.check("game without a player")
    run = walker.learn(game, "GameLearner", games="20")
    walker.go(f"{game}/hypothesis/{run}", "text=Play against it")
    inspector.check("player")
    page.click("text=Play against it")
    page.click(".moves button:text-is('5')")
    page.wait_for_selector("text=Its move:")
    page.click("text=Its evaluation of your moves")
    page.click("text=Moves so far")
    inspector.check("game that is played")


def test_comparisons_curves_locked_rows_and_experiments(walker, inspector):
    page = walker.page
    sheet = walker.sheet("iris")
    walker.post(f"/api/sheets/{sheet}/lock", share=0.25)
    for learner in ("C45", "NaiveBayes"):
        walker.learn(sheet, learner)
    at = f"/api/sheets/{sheet}"
    walker.post(f"{at}/jobs", job="compare", runs=[1, 2])
    walker.post(f"{at}/jobs", job="curve", runs=[1])
    walker.post(f"{at}/jobs", job="open", runs=[1])
    plan = page.evaluate("async (path) => (await (await fetch(path)).json()).plan", f"{at}/plan")
    walker.post(f"{at}/jobs", job="experiment", plan=plan.replace("folds = 10", "folds = 2"))
    walker.until_done(sheet)
    walker.go(f"{sheet}/hypothesis/1", "[aria-label=comparison]")
    page.wait_for_selector("induce-curve svg")
    page.wait_for_selector("text=The locked rows were used once; the access is logged.")
    inspector.check("comparison, learning curve and locked rows")
    walker.go(f"{sheet}/learn", "text=Open the report")
    page.click("summary:text-is('Experiment')")
    inspector.check("experiment")


def test_every_player(walker, inspector):
    lessons = walker.page.evaluate("async () => (await (await fetch('/api/start')).json()).lessons")
    own = [each["id"] for each in lessons if each["editable"]]
    book = next(each["id"] for each in lessons if not each["editable"])
    for lesson in (*own, book):
        walker.go(f"play/{lesson}", "text=step 1 of")
        walker.page.evaluate(
            "() => { const p = document.querySelector('induce-player'); p.go(p.data.frames.length >> 1); }"
        )
        inspector.check(lesson)
