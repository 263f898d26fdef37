"""Who is let in, and what is refused: each in one sentence."""

import pytest
from starlette.testclient import TestClient

from induce.workbench.server import application

TOKEN, PORT = "a-token", 8765
HOST = f"127.0.0.1:{PORT}"
ORIGIN = {"origin": f"http://{HOST}"}


@pytest.fixture
def client(bench):
    found = TestClient(application(bench, TOKEN, PORT, limit=10_000), base_url=f"http://{HOST}")
    answer = found.get(f"/?token={TOKEN}", follow_redirects=False)
    assert answer.status_code == 303
    return found


@pytest.fixture
def stranger(bench):
    return TestClient(application(bench, TOKEN, PORT), base_url=f"http://{HOST}")


PATHS = ["/", "/page/app.js", "/elements/base.js", "/api/start", "/nowhere"]


@pytest.mark.parametrize("path", PATHS)
def test_nothing_without_the_token(stranger, path):
    answer = stranger.get(path)
    assert answer.status_code == 403
    assert answer.text == "the token is missing; open the address that induce workbench printed\n"
    assert stranger.get("/?token=wrong").status_code == 403


@pytest.mark.parametrize("path", PATHS)
def test_other_names_and_origins_are_refused(client, path):
    assert client.get(path, headers={"host": "evil.example"}).status_code == 403
    assert client.get(path, headers={"host": f"localhost.evil.example:{PORT}"}).status_code == 403
    refused = client.get(path, headers={"origin": "http://evil.example"})
    assert (refused.status_code, refused.text) == (403, "the request comes from another page\n")


def test_changes_need_an_origin(client):
    assert client.post("/api/sheets", json={"source": "iris"}).status_code == 403
    assert client.post("/api/sheets", json={"source": "iris"}, headers={"origin": "null"}).status_code == 403
    assert client.post("/api/sheets", json={"source": "iris"}, headers=ORIGIN).json() == {"sheet": "s1"}


def test_pages_have_a_strict_policy(client):
    answer = client.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "style=" not in answer.text
    assert client.get("/page/app.js").headers["content-type"].startswith("text/javascript")


def test_documents_keep_their_styles_under_a_policy_of_their_own(client):
    sheet = client.post("/api/sheets", json={"source": "play-tennis"}, headers=ORIGIN).json()["sheet"]
    client.post(f"/api/sheets/{sheet}/runs", json={"learner": "ID3"}, headers=ORIGIN)
    for form in ("report", "html", "svg"):
        path = f"/api/sheets/{sheet}/runs/1/export/{form}"
        answer = client.get(f"{path}?show=1")
        assert "style" in answer.text
        policy = answer.headers["content-security-policy"]
        assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
        assert answer.headers["content-disposition"] == "inline"
        assert "unsafe" not in client.get(path).headers["content-security-policy"]


@pytest.mark.parametrize(
    "path", ["/page/..%2f__init__.py", "/page/server.py", "/elements/..%2fstyle.py", "/page/x.js"]
)
def test_assets_are_no_paths(client, path):
    assert client.get(path).status_code == 404


def test_uploads_are_tables_of_bounded_size(client, bench):
    said = client.put("/api/uploads/t.csv", content=b"a,b\n1,x\n2,y\n", headers=ORIGIN).json()
    assert client.post("/api/sheets", json=said, headers=ORIGIN).status_code == 200
    for name in ("run.py", "x.sh", "model.pkl", ".hidden.csv", "..%2fout.csv", "a%5cb.csv"):
        assert client.put(f"/api/uploads/{name}", content=b"1", headers=ORIGIN).status_code in (400, 404), (
            name
        )
    large = client.put("/api/uploads/large.csv", content=b"1" * 10_001, headers=ORIGIN)
    assert large.status_code == 413
    assert large.text.startswith("the file is larger than")
    # a length that is a lie, as chunks have none
    chunks = client.put("/api/uploads/chunks.csv", content=iter([b"1" * 6000] * 3), headers=ORIGIN)
    assert chunks.status_code == 413
    assert sorted(path.name for path in bench.uploads.iterdir()) == ["t.csv"]


def test_refusals_are_sentences(client, bench):
    for path, body in (
        ("/api/sheets", {"source": "/etc/passwd"}),
        ("/api/sheets", {"source": 3}),
        ("/api/sheets", {"source": "iris", "target": "nothing"}),
        ("/api/sheets/s9/table", {"target": "x"}),
        ("/api/lessons/id9", {}),
    ):
        answer = client.post(path, json=body, headers=ORIGIN)
        assert answer.status_code == 400, path
        assert "Traceback" not in answer.text
        assert len(answer.json()["problem"]) > 10
    for content in (
        b"{",
        b"[" * 9_000,
        b'{"a":' * 1_500,
        b'{"source": 1, "source": 2}',
        b"9" * 5_000,
        b"\xff",
    ):
        answer = client.post("/api/sheets", content=content, headers=ORIGIN)
        assert answer.status_code == 400
        assert answer.json()["problem"].startswith("the request is not JSON: ")
    assert client.post("/api/sheets", content=b"[]", headers=ORIGIN).status_code == 400


def test_a_hostile_model_file_is_refused(client, bench):
    client.post("/api/sheets", json={"source": "play-tennis"}, headers=ORIGIN)
    client.post("/api/sheets/s1/runs", json={"learner": "ID3"}, headers=ORIGIN)
    assert client.get("/api/sheets/s1/runs/1/view").status_code == 200
    (bench.sheets.room("s1") / "run-1.induce").write_bytes(b"\x80\x04cos\nsystem\n(S'touch x'\ntR.")
    answer = client.get("/api/sheets/s1/runs/1/view")
    assert answer.status_code == 400
    assert "model" in answer.json()["problem"]


def test_exports_are_downloads(client):
    client.post("/api/sheets", json={"source": "play-tennis"}, headers=ORIGIN)
    client.post("/api/sheets/s1/runs", json={"learner": "ID3"}, headers=ORIGIN)
    sql = client.get("/api/sheets/s1/runs/1/export/sql")
    assert 'filename="ID3-1.sql"' in sql.headers["content-disposition"]
    assert "CASE" in sql.text
    assert client.get("/api/sheets/s1/runs/1/export/pickle").status_code == 400
    lesson = client.get("/api/lessons/id3/page")
    assert lesson.headers["content-disposition"].startswith("attachment")


def test_two_gigabytes_are_refused_before_they_are_sent(bench):
    client = TestClient(application(bench, TOKEN, PORT), base_url=f"http://{HOST}")
    client.get(f"/?token={TOKEN}", follow_redirects=False)
    answer = client.put(
        "/api/uploads/large.csv", content=b"", headers={**ORIGIN, "content-length": str(2_000_000_000)}
    )
    assert answer.status_code == 413
    assert answer.text == "the file is larger than 500 MB; open it by induce workbench FILE\n"


def test_a_fault_of_the_workbench_is_said_in_a_sentence(client, monkeypatch, capsys):
    from induce.workbench import tables

    client.post("/api/sheets", json={"source": "play-tennis"}, headers=ORIGIN)
    monkeypatch.setattr(tables, "source_view", lambda step, folder: {}["nothing"])
    answer = client.get("/api/sheets/s1/columns")
    assert answer.status_code == 500
    assert answer.json()["problem"].startswith("internal error of the workbench")
    assert "KeyError" in capsys.readouterr().err
