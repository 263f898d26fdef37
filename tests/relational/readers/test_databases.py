"""Databases as relations: keys reflected, targets, both ways of reading, bad input; nothing is written."""

from __future__ import annotations

import hashlib
import sqlite3
import sys
from contextlib import closing

import numpy as np
import pytest
import sqlalchemy

from induce.core.errors import InputError
from induce.core.notes import Note
from induce.relational.readers.catalogues import is_database
from induce.relational.readers.databases import read_database
from induce.relational.readers.problems import read_problem

TRAINS = """
    CREATE TABLE train (id TEXT PRIMARY KEY, eastbound BOOLEAN, length INTEGER);
    CREATE TABLE car (
        id INTEGER PRIMARY KEY, train TEXT REFERENCES train, ahead INTEGER REFERENCES Car (ID),
        shape TEXT, wheels INTEGER
    );
    CREATE TABLE load (car INTEGER REFERENCES car, place INTEGER, kind TEXT, PRIMARY KEY (car, place));
    CREATE TABLE damage (
        car INTEGER, place INTEGER, how TEXT, FOREIGN KEY (car, place) REFERENCES load (car, place)
    );
    CREATE TABLE linked (one TEXT REFERENCES train (id), other TEXT REFERENCES train (id));
    CREATE VIEW long AS SELECT id FROM train WHERE length > 1;
    INSERT INTO train VALUES ('t1', 1, 2), ('t2', 0, 1), ('t3', 0, 1), ('t4', NULL, 0);
    INSERT INTO car VALUES (1, 't1', NULL, 'bucket', 2), (2, 't1', 1, 'box', 3), (3, 't2', NULL, 'box', 2);
    INSERT INTO load VALUES (1, 1, 'coal'), (1, 2, 'coal'), (2, 1, 'corn');
    INSERT INTO damage VALUES (1, 2, 'wet'), (2, 1, 'wet');
    INSERT INTO linked VALUES ('t1', 't2'), ('t2', 't3');
"""


@pytest.fixture
def trains(tmp_path):
    path = tmp_path / "trains.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(TRAINS)
    return path


def make(tmp_path, script):
    path = tmp_path / "made.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(script)
    return path


@pytest.fixture(params=["path", "text", "url", "engine"])
def source(request, trains):
    """The same database in each way in which it can be given."""
    ways = {
        "path": trains,
        "text": str(trains),
        "url": f"sqlite:///{trains}",
        "engine": sqlalchemy.create_engine(f"sqlite:///{trains}"),
    }
    return ways[request.param]


@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
def test_keys_become_types_and_modes(source):
    relations = read_database(source)
    types = relations.types
    assert types["car_train/2"] == ("car", "train")
    assert types["car_ahead/2"] == ("car", "car")
    assert types["car_wheels/2"] == ("car", "car.wheels")
    assert types["load_kind/2"] == ("load", "load.kind")
    assert types["load_car/2"] == ("load", "car")
    assert types["damage_load/2"] == ("car", "load")  # a key of two columns leads to one thing
    assert types["damage_how/2"] == ("car", "damage.how")
    assert types["damage_place/2"] == ("car", "damage.place")
    assert types["linked/2"] == ("train", "train")
    assert "long/1" not in types
    modes = [str(mode) for mode in relations.modes]
    assert {"linked(+train, -train)", "linked(-train, +train)", "car_train(-car, +train)"} <= {*modes}
    assert {"damage_load(+car, -load)", "damage_load(-car, +load)"} <= {*modes}
    assert "train_eastbound(+train, #train.eastbound)" in modes
    rows = relations.facts["train_eastbound/2"]
    terms = relations.symbols.terms
    assert [[str(terms[code]) for code in row] for row in rows] == [
        ["t1", "true"],
        ["t2", "false"],
        ["t3", "false"],
    ]


def test_every_way_reads_the_same(trains):
    with pytest.warns(Note, match="missing value"):
        plain = read_database(trains)
    with pytest.warns(Note, match="missing value"):
        other = read_database(sqlalchemy.create_engine(f"sqlite:///{trains}"))
    assert sorted(plain.listing()) == sorted(other.listing())
    assert plain.types == other.types
    assert {*plain.modes} == {*other.modes}


def test_nothing_is_written(trains):
    before = hashlib.sha256(trains.read_bytes()).hexdigest()
    trains.chmod(0o444)
    with pytest.warns(Note):
        read_database(trains)
    assert hashlib.sha256(trains.read_bytes()).hexdigest() == before
    assert [path.name for path in trains.parent.iterdir()] == ["trains.db"]


def test_some_tables_and_views(trains):
    relations = read_database(trains, ["long", "linked"])
    assert relations.predicates() == (("long", 1), ("linked", 2))
    with pytest.raises(InputError, match="there is no table 'trai'; did you mean 'train'"):
        read_database(trains, ["trai"])


@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
def test_a_label_of_a_keyed_table_makes_its_keys_examples(trains):
    problem = read_problem(trains, "train", label="eastbound")
    assert problem.predicate == ("eastbound", 1)
    assert problem.X["id"].to_list() == ["t1", "t2", "t3"]
    assert problem.y.tolist() == [True, False, False]
    assert ("train_eastbound", 2) not in problem.background.predicates()
    assert not any("eastbound" in mode.name for mode in problem.background.modes)
    assert problem.background.types["eastbound/1"] == ("train",)
    assert problem.background.types_of(("eastbound", 1), problem.rows()) == ("train",)
    assert problem.name == "trains"


@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
def test_a_label_of_a_table_without_a_key_makes_its_rows_examples(tmp_path):
    path = make(
        tmp_path,
        "CREATE TABLE p (name TEXT PRIMARY KEY); INSERT INTO p VALUES ('ann'), ('bea'), ('cal');"
        "CREATE TABLE likes (who TEXT, whom TEXT, really TEXT);"
        "INSERT INTO likes VALUES ('ann', 'bea', 'yes'), ('bea', 'ann', 'no'), ('cal', 'ann', 'yes');",
    )
    problem = read_problem(path, "likes/2", label="really")
    assert problem.predicate == ("likes", 2)
    assert problem.X.columns == ["who", "whom"]
    assert problem.y.tolist() == [True, False, True]
    assert problem.background.predicates() == (("p", 1),)
    assert problem.background.types["likes/2"] == ("p", "p")


@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
def test_a_table_of_links_is_a_closed_world(trains):
    problem = read_problem(trains, "linked/2")
    assert problem.y.sum() == 2
    assert len(problem.y) == 4 * 4
    assert ("linked", 2) not in problem.background.predicates()
    assert read_problem(trains, "linked", negatives="none").settings == {"positive_only": True}


@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
def test_a_view_can_be_the_target(trains):
    problem = read_problem(f"sqlite:///{trains}", "long")
    assert problem.y.tolist() == [True, False, False, False]
    assert problem.background.types["long/1"] == ("train",)


def test_labels_of_numbers_and_names(tmp_path):
    script = "CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER, way TEXT, many TEXT, none TEXT, zero INTEGER);"
    script += "INSERT INTO t VALUES ('a', 0, 'east', 'x', NULL, 0), ('b', 1, 'west', 'y', NULL, 0);"
    script += "INSERT INTO t VALUES ('c', 1, 'east', 'z', NULL, 0);"
    path = make(tmp_path, script)
    with pytest.warns(Note, match="missing"):
        assert read_problem(path, "t", label="n").y.tolist() == [False, True, True]
    with pytest.warns(
        Note, match="missing|rows of t with way = west are assumed to be in the relation"
    ) as notes:
        assert read_problem(path, "t", label="way").y.tolist() == [False, True, False]
    assert "way = west" in str(notes[-1].message)
    with pytest.warns(Note, match="missing"):
        classes = read_problem(path, "t", label="many")
    assert classes.has_classes
    assert classes.y.tolist() == ["x", "y", "z"]
    for label, sentence in (
        ("none", "the label 'none' of t has no value"),
        ("zero", "the label 'zero' of t is 0 wherever it is known; rules need rows with another value"),
    ):
        with pytest.raises(InputError, match=sentence), pytest.warns(Note, match="missing"):
            read_problem(path, "t", label=label)


def test_strange_names_and_cells(tmp_path):
    path = make(
        tmp_path,
        'CREATE TABLE "my ""table""" ("a b" TEXT PRIMARY KEY, "Größe" REAL, mixed, blob BLOB);'
        "INSERT INTO \"my \"\"table\"\"\" VALUES ('x''y', 1.5, 1, x'00'), ('ü', 2, 'two', x'01');",
    )
    with pytest.warns(
        Note, match="the table 'my \"table\"' has binary cells in blob; these columns are left out"
    ):
        relations = read_database(path)
    assert relations.listing() == [
        "'my \"table\"'('x\\'y').",
        "'my \"table\"'(ü).",
        "'my \"table\"_Größe'('x\\'y', 1.5).",
        "'my \"table\"_Größe'(ü, 2).",
        "'my \"table\"_mixed'('x\\'y', '1').",
        "'my \"table\"_mixed'(ü, two).",
    ]


def test_decimals_and_dates_of_other_databases():
    engine = sqlalchemy.create_engine("sqlite://", poolclass=sqlalchemy.pool.StaticPool)
    metadata = sqlalchemy.MetaData()
    columns = [
        sqlalchemy.Column("id", sqlalchemy.String, primary_key=True),
        sqlalchemy.Column("price", sqlalchemy.Numeric(10, 2)),
        sqlalchemy.Column("day", sqlalchemy.Date),
        sqlalchemy.Column("sold", sqlalchemy.Boolean),
    ]
    table = sqlalchemy.Table("sale", metadata, *columns)
    metadata.create_all(engine)
    import datetime
    import decimal

    with engine.begin() as connection:
        row = {"id": "a", "price": decimal.Decimal("1.50"), "day": datetime.date(1970, 1, 3), "sold": True}
        connection.execute(table.insert(), [row])
    assert read_database(engine).listing() == [
        "sale(a).",
        "sale_price(a, 1.5).",
        "sale_day(a, '1970-01-03').",
        "sale_sold(a, true).",
    ]


def test_what_is_a_database(trains, tmp_path):
    assert is_database(str(trains))
    assert is_database("postgresql://host/name")
    text = tmp_path / "a.pl"
    text.write_text("p(a).", encoding="utf-8")
    assert not is_database(str(text))
    assert not is_database(str(tmp_path))
    assert not is_database("a\0b")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"source": "no such.db"}, "there is no file 'no such.db'"),
        ({"source": "sqlite://"}, "an in-memory database cannot be read by its URL; pass the engine"),
        ({"source": "sqlite:///:memory:"}, "an in-memory database cannot be read by its URL"),
        ({"source": "nonsense://x"}, "the database cannot be read: Can't load plugin"),
        ({"source": "mysql+pymysql://x/y"}, "the database needs the driver pymysql, which is not installed"),
        ({"source": "TRAINS", "schema": "other"}, "schema is 'other', but an SQLite file has no schemas"),
    ],
)
def test_bad_sources_give_one_sentence(trains, given, sentence):
    given = {key: trains if value == "TRAINS" else value for key, value in given.items()}
    with pytest.raises(InputError) as error:
        read_database(**given)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_without_sqlalchemy_only_sqlite_is_read(trains, monkeypatch):
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    with pytest.warns(Note):
        assert len(read_database(f"sqlite:///{trains}").predicates()) > 5
    with pytest.raises(
        InputError, match="needs the package SQLAlchemy; install it with: pip install SQLAlchemy"
    ):
        read_database("postgresql://host/name")


def test_what_is_no_source_at_all():
    with pytest.raises(TypeError, match="a database is a URL, a path or an SQLAlchemy engine, not int"):
        read_database(3)


def test_damaged_and_empty_databases(trains, tmp_path):
    broken = tmp_path / "broken.db"
    broken.write_bytes(trains.read_bytes()[:5000])
    with pytest.raises(InputError, match=r"broken\.db' cannot be read: "):
        read_database(broken)
    text = tmp_path / "text.db"
    text.write_text("this is a text, and not a database at all" * 10, encoding="utf-8")
    with pytest.raises(InputError, match="cannot be read: file is not a database"):
        read_database(text)
    empty = make(tmp_path, "CREATE VIEW v AS SELECT 1")
    with pytest.raises(InputError, match="the database has no table"):
        read_database(empty)


@pytest.mark.parametrize(
    ("target", "label", "sentence"),
    [
        (None, None, "target is missing; name the table of the examples, one of train, car, load"),
        ("trian", None, "there is no table 'trian'; did you mean 'train'?"),
        (
            "train",
            None,
            "label is missing; name the column of train that marks the positive rows",
        ),
        ("train", "eastboun", "did you mean 'eastbound'?"),
        ("train/2", "eastbound", "the target is train/2, but the examples in train have 1 arguments"),
    ],
)
@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
def test_bad_targets_give_one_sentence(trains, target, label, sentence):
    with pytest.raises(InputError) as error:
        read_problem(trains, target, label=label)
    assert sentence in str(error.value)


def test_a_large_table_is_read(tmp_path):
    path = tmp_path / "large.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE edge (one INTEGER, other INTEGER)")
        rows = np.random.default_rng(0).integers(0, 1000, (20_000, 2)).tolist()
        database.executemany("INSERT INTO edge VALUES (?, ?)", rows)
        database.commit()
    assert len(read_database(path).listed["edge", 2]) == len({*map(tuple, rows)})


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "train.csv").write_text(
        "id,eastbound,length\nt1,yes,5\nt2,yes,7\nt3,no,1\nt4,no,2\n", encoding="utf-8"
    )
    (tmp_path / "car.csv").write_text(
        "id,train,roof\na,t1,flat\nb,t2,flat\nc,t3,none\nd,t4,\n", encoding="utf-8"
    )
    return tmp_path


@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
def test_a_folder_of_tables_is_a_database(folder):
    problem = read_problem(folder, "train", label="eastbound")
    assert str(problem).endswith("2 positive and 2 negative examples; 5 relations, 19 facts")
    assert problem.background.types["car_train/2"] == ("car", "train")


@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
def test_tables_and_columns_can_be_ignored(folder):
    problem = read_problem(folder, "train", label="eastbound", ignore=["train.length", "car"])
    assert problem.background.predicates() == (("train", 1),)
    with pytest.raises(InputError, match=r"table or column to be ignored"):
        read_problem(folder, "train", label="eastbound", ignore=["train.lenght"])


def test_a_folder_as_spreadsheets_write_it(tmp_path):
    text = "Nr;geboren;Umsatz;gut\n1;07.11.1968;1,5;ja\n2;26.07.1999;2,5;nein\n3;;0,5;nein\n"
    (tmp_path / "Käufer.csv").write_text(text, encoding="latin-1")
    (tmp_path / "leer.tsv").write_text("a\tb\n", encoding="utf-8")
    with pytest.warns(Note, match="separator ';'|missing|guessed|taken"):
        problem = read_problem(tmp_path, "Käufer", label="gut")
    assert problem.y.tolist() == [True, False, False]
    listing = problem.background.listing()
    assert {"'Käufer_geboren'(1, '1968-11-07').", "'Käufer_Umsatz'(1, 1.5)."} <= {*listing}
    assert ":- dynamic leer/2." in listing


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({}, "holds no table; tables are .csv, .tsv, .parquet files"),
        ({"t.csv": b""}, "'t.csv' is empty"),
        ({"t.parquet": b"PAR1 and no more"}, "'t.parquet' is not a complete Parquet file"),
    ],
)
def test_bad_folders_give_one_sentence(tmp_path, files, sentence):
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError) as error:
        read_problem(tmp_path, "t", label="good")
    assert sentence in str(error.value)


def test_a_source_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="there is no file"):
        read_problem(tmp_path / "none.db", "t", label="good")


def test_a_table_with_a_guessed_key_needs_a_label(tmp_path):
    path = make(tmp_path, "CREATE TABLE t (id, good); INSERT INTO t VALUES (1, 'yes'), (2, 'no');")
    with pytest.raises(InputError, match="name the column of t that marks the positive rows"):
        read_problem(path, "t")
