"""Every source, view and player in the browser: it draws, it fits the page, and axe finds nothing serious."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.browser
FAMILY = """
parent(ann,mary). parent(ann,tom). parent(tom,eve). parent(tom,ian). parent(mary,sue).
female(ann). female(mary). female(eve). female(sue). male(tom). male(ian).
daughter(mary,ann). daughter(eve,tom). daughter(sue,mary).
"""
POST = """async ([path, body]) => (await fetch(path, { method: 'POST',
  headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json()"""
BUSY = """async (path) => { const found = await (await fetch(path)).json();
  return [...found.runs, ...found.others].every((job) => job.state === 'done') }"""


class Walker:
    """A page that opens sheets, learns and goes to places."""

    def __init__(self, page, address):
        self.page, self.base = page, address.split("?")[0]
        page.goto(address)
        page.wait_for_selector("h1")

    def post(self, path, **body):
        found = self.page.evaluate(POST, [path, body])
        assert "problem" not in found, found
        return found

    def sheet(self, source, **told):
        return self.post("/api/sheets", source=source, **told)["sheet"]

    def learn(self, sheet, learner, **settings):
        at = f"/api/sheets/{sheet}"
        run = self.post(f"{at}/runs", learner=learner, settings=settings, cv=3, seed=1)["runs"][-1]["run"]
        self.until_done(sheet)
        return run

    def until_done(self, sheet):
        path = f"/api/sheets/{sheet}"
        with self.page.expect_event("console", lambda said: said.text == "done", timeout=120_000):
            self.page.evaluate(
                f"(path) => {{ const look = async () => {{ if (await ({BUSY})(path)) console.log('done');"
                " else setTimeout(look, 100); }; look(); }",
                path,
            )

    def go(self, place, wait):
        self.page.goto("about:blank")
        self.page.goto(f"{self.base}#/{place}")
        self.page.wait_for_selector(wait)


@pytest.fixture
def walker(page, shared):
    return Walker(page, shared)


def family(page):
    """Upload a Prolog file and name its target."""
    file = {"name": "family.pl", "mimeType": "text/plain", "buffer": FAMILY.encode()}
    page.set_input_files("input[aria-label=file]", file)
    page.wait_for_selector("text=name the relation of family to learn")
    page.fill("label:has-text('target') input", "daughter/2")
    page.click("button:text-is('Set')")
    page.wait_for_selector("text=3 positive and 33 negative examples")
    return page.url.split("#/")[1].split("/")[0]


def test_from_a_prolog_file_to_a_proof(walker):
    page = walker.page
    sheet = family(page)
    run = walker.learn(sheet, "FOIL")
    walker.go(f"{sheet}/hypothesis/{run}", "induce-clauses >> text=female(A)")
    page.fill("[aria-label=x0]", "eve")
    page.fill("[aria-label=x1]", "tom")
    page.click("button:text-is('Explain')")
    page.wait_for_selector(".proof >> text=parent(tom, eve)")
    page.click("induce-clauses button >> nth=0")
    page.wait_for_selector("text=3 rows end here, 0 of them wrong")


def test_an_environment_gives_a_policy_on_its_grid(walker):
    sheet = walker.sheet("cliff")
    run = walker.learn(sheet, "DynamicProgramming")
    walker.go(f"{sheet}/hypothesis/{run}", "induce-policy td")
    walker.page.click("induce-policy td button >> nth=0")
    walker.page.wait_for_selector("induce-policy >> text=what each move from 0, 0 is worth")


def test_a_game_is_played_against_a_learned_player(walker):
    page = walker.page
    sheet = walker.sheet("tic-tac-toe")
    run = walker.learn(sheet, "GameLearner", games="20")
    walker.go(f"{sheet}/hypothesis/{run}", "text=Play against it")
    page.click("text=Play against it")
    page.click(".moves button:text-is('5')")
    page.wait_for_selector("text=It moved")
    assert "worth" in page.locator("[aria-label='its expectation']").inner_text()


def test_a_version_space_asks_until_it_knows(walker):
    page = walker.page
    sheet = walker.sheet("enjoy-sport")
    walker.go(f"{sheet}/play/ask", "text=Is this EnjoySport = Yes?")
    for answered in range(1, 10):
        page.click("button:text-is('No')")
        page.wait_for_selector(f"ol li >> nth={answered - 1}")
        if page.locator("text=The concept is known.").count():
            break
    assert page.locator("text=The concept is known.").count()
    page.reload()
    page.wait_for_selector("text=The concept is known.")


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
    page.wait_for_selector("text=C45 and NaiveBayes: no evidence of a difference")
    page.click("button:text-is('Learning curve')")
    page.wait_for_selector("induce-curve svg")
    page.click("button:text-is('Open the rows under lock')")
    page.wait_for_selector("text=The rows were opened once; the look is kept.")
    page.reload()
    page.wait_for_selector("text=The rows were opened once; the look is kept.")
    page.click("nav >> text=Learn")
    page.click("summary:text-is('Experiment')")
    for _ in range(600):  # the policy of the page forbids Playwright's own wait
        if "folds" in page.input_value("textarea"):
            break
        page.wait_for_timeout(100)
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
    page.wait_for_selector("text=2 rows in second.csv, 1 of them wrong")
    assert page.locator("tr.wrong td").first.inner_text() == "1"


def test_columns_get_orders_and_kinds_in_a_schema_file(walker):
    page = walker.page
    sheet = walker.sheet("play-tennis")
    walker.go(f"{sheet}/data", "text=Learn →")
    page.click("tr:has-text('Temperature') summary")
    page.fill("[aria-label='order of Temperature']", "Cool, Mild, Hot")
    page.click("tr:has-text('Temperature') button:text-is('Set order')")
    page.wait_for_selector("summary:text-is('ordered')")
    page.click("text=Missing values, schema")
    with page.expect_download() as download:
        page.click("text=Take the schema away as a file")
    assert '"ordered": true' in Path(download.value.path()).read_text(encoding="utf-8")


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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_any_view_or_player(browser, shared, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = browser.new_context(
        viewport={"width": 1300, "height": 900}, color_scheme=scheme, bypass_csp=True
    )
    page = context.new_page()
    page.set_default_timeout(60_000)
    walker = Walker(page, shared)
    found = []

    def check(where):
        for width in (1300, 390):
            page.set_viewport_size({"width": width, "height": 900})
            wide = page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
            if wide > 0:
                found.append((where, width, f"{wide} pixels too wide"))
        for each in axe.run(page).response["violations"]:
            if each["impact"] in ("serious", "critical"):
                found.append((where, each["id"], [node["html"][:160] for node in each["nodes"][:3]]))
        page.set_viewport_size({"width": 1300, "height": 900})

    check("home")
    sheet = walker.sheet("play-tennis")
    for learner, view in VIEWS.items():
        run = walker.learn(sheet, learner)
        walker.go(f"{sheet}/hypothesis/{run}", f"induce-{view}")
        page.click("button:text-is('All rows')")
        page.wait_for_selector("[aria-label='rows of the part']")
        check(learner)
    space = walker.sheet("enjoy-sport")
    run = walker.learn(space, "CandidateElimination")
    walker.go(f"{space}/hypothesis/{run}", "induce-lattice")
    check("lattice")
    walker.go(f"{space}/play/ask", "text=Is this EnjoySport")
    check("dialogue")
    grid = walker.sheet("cliff")
    walker.go(f"{grid}/data", "text=Learn →")
    check("environment")
    run = walker.learn(grid, "DynamicProgramming")
    walker.go(f"{grid}/hypothesis/{run}", "induce-policy")
    check("policy")
    for lesson in page.evaluate("async () => (await (await fetch('/api/start')).json()).lessons"):
        if lesson["editable"]:
            walker.go(f"play/{lesson['id']}", "text=step 1 of")
            page.evaluate(
                "() => { const p = document.querySelector('induce-player'); p.go(p.data.frames.length >> 1); }"
            )
            check(lesson["id"])
    context.close()
    assert found == []
