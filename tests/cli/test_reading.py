"""The options that say how a file is written, on the commands that read one."""

import json
import zipfile

import pytest

ROWS = [(f"{1 + k % 12:02d}/02/2022", f"{k},{k % 10}00", "yes" if k > 15 else "no") for k in range(1, 31)]
SALES = "day;price;sold\n" + "".join(f"{day};{price};{sold}\n" for day, price, sold in ROWS)


def test_a_model_of_a_messy_file_reads_the_next_one(run, table, tmp_path):
    path = table("Sales\n2022\n" + SALES, name="sales.csv")
    result = run("learn", path, "--target", "sold", "--out", tmp_path / "m.induce", "--no-evaluate")
    assert result.code == 0
    assert "price <= 16.05: no (15/15)" in result.out
    assert "separator ';'; the header is in line 3, lines 1-2 above it left out" in result.err
    new = table("day;price\n14/02/2022;20,500\n01/02/2022;3,100\n", name="new.csv")
    result = run("predict", tmp_path / "m.induce", new)
    assert [line.split(",")[-1] for line in result.out.splitlines()] == ["prediction", "yes", "no"]
    result = run("explain", tmp_path / "m.induce", new, "--row", 1)
    assert "price > 16.05" in result.out


def test_options_overrule_what_is_found(run, table):
    path = table(SALES, name="sales.csv")
    said = ("--json", "--target", "sold")

    def columns(*options):
        result = run("data", path, *said, *options)
        return {each["name"]: each for each in json.loads(result.out)["columns"]}

    assert columns()["price"]["maximum"] == 30.0
    assert columns("--thousands", ",")["price"]["maximum"] == 30000
    assert columns("--dates", "mdy")["day"]["maximum"] == "2022-12-02"
    assert columns("--dates", "%d/%m/%Y")["day"]["maximum"] == "2022-02-12"
    assert list(columns("--date-parts", "month,weekday"))[:3] == ["day", "month of day", "weekday of day"]


def test_bad_rows_a_header_and_an_encoding(run, table):
    path = table(SALES + "1;2\n", name="sales.csv")
    assert "line 32 of 'sales.csv' has 2 fields where the header has 3" in run("data", path).sentence()
    result = run("data", path, "--skip-bad")
    assert "sales: 30 rows" in result.out
    assert "1 row with a different number of cells left out (line 32)" in result.err
    path = table("ж;n\n1;2\n3;4\n5;6\n".encode("cp1251"), name="other.csv")
    assert "ж: numeric" in run("data", path, "--encoding", "cp1251").out
    assert "x0: n" in run("data", path, "--encoding", "cp1251", "--header", "no").out
    assert (
        "--header is 'maybe'; give yes, no or the number of the line"
        in run("data", path, "--header", "maybe").sentence()
    )


@pytest.mark.parametrize(
    "command", ["learn", "compare", "cluster", "ask", "data", "predict", "explain", "decode", "query"]
)
def test_every_command_that_reads_a_table_has_them(run, command):
    shown = run(command, "--help").out
    for option in (
        "--decimal",
        "--thousands",
        "--encoding",
        "--dates",
        "--header",
        "--sheet",
        "--skip-bad",
        "--missing",
    ):
        assert option in shown


def test_a_zip_and_a_pattern_are_learned_from(run, table, tmp_path):
    path = table(SALES, name="sales.csv")
    with zipfile.ZipFile(tmp_path / "sales.zip", "w") as archive:
        archive.write(path, "sales.csv")
    for source in (tmp_path / "sales.zip", tmp_path / "sal*.csv"):
        result = run("learn", source, "--target", "sold", "--no-evaluate")
        assert "price <= 16.05: no (15/15)" in result.out


def test_a_messy_file_in_chunks(run, table):
    path = table(SALES, name="sales.csv")
    result = run("learn", path, "--target", "sold", "--learner", "NaiveBayes", "--stream", "--no-evaluate")
    assert "2 numeric columns" in result.out
    assert "'sales.csv' was read as follows: " in result.err
