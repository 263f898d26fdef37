"""A page that goes from place to place of a workbench, and what axe says about it."""

POST = """async ([path, body]) => (await fetch(path, { method: 'POST',
  headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json()"""
BUSY = """async (path) => { const found = await (await fetch(path)).json();
  return [...found.runs, ...found.others].every((job) => job.state === 'done') }"""
# the content of the old place is marked, so that the new one is told from it
GO = """(hash) => {
  document.querySelector('main').firstElementChild?.setAttribute('data-left', '');
  if (location.hash === hash) dispatchEvent(new HashChangeEvent('hashchange'));
  else location.hash = hash;
}"""
AXE = """async () => (await axe.run({ resultTypes: ['violations'] })).violations
  .filter((each) => ['serious', 'critical'].includes(each.impact))
  .map((each) => [each.id, each.nodes.slice(0, 3).map((node) => node.html.slice(0, 160))])"""
EXCESS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Walker:
    """A page that opens sheets, learns and goes to places."""

    def __init__(self, page, address):
        self.page = page
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
                " else setTimeout(look, 50); }; look(); }",
                path,
            )

    def go(self, place, wait):
        """Go to a place, and wait for something that it shows."""
        self.page.evaluate(GO, f"#/{place}")
        self.page.wait_for_selector("main:not(:has(> [data-left]))")
        self.page.wait_for_selector(wait)

    def open_family(self, tmp_path):
        """Upload a Prolog file; return its sheet, whose target is not named yet."""
        path = tmp_path / "family.pl"
        path.write_text(FAMILY, encoding="utf-8")
        self.page.set_input_files("input[aria-label=file]", path)
        self.page.wait_for_selector("text=name the relation of family to learn")
        return self.page.url.split("#/")[1].split("/")[0]

    def name_target(self):
        """Name the target of the family on the Data page."""
        self.page.fill("label:has-text('target') input", "daughter/2")
        self.page.click("button:text-is('Set')")
        self.page.wait_for_selector("text=3 positive and 33 negative examples")


FAMILY = """
parent(ann,mary). parent(ann,tom). parent(tom,eve). parent(tom,ian). parent(mary,sue).
female(ann). female(mary). female(eve). female(sue). male(tom). male(ian).
daughter(mary,ann). daughter(eve,tom). daughter(sue,mary).
"""


class Inspector:
    """Collects what axe finds serious, and what does not fit, light and dark, wide and narrow."""

    def __init__(self, page, script):
        self.page, self.script = page, script
        self.found = []

    def check(self, where):
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(self.script)
        for width in (390, 1300):
            self.page.set_viewport_size({"width": width, "height": 900})
            excess = self.page.evaluate(EXCESS)
            if excess > 0:
                self.found.append((where, width, f"{excess} pixels too wide"))
            for scheme in ("dark", "light"):
                self.page.emulate_media(color_scheme=scheme)
                self.found += [(where, width, scheme, *each) for each in self.page.evaluate(AXE)]
