"""Further databases made by seeds: other schemas and rules than those that the pre-join was written beside.

A bank whose clients hold accounts together, a university whose courses require others, a hospital, a shop and films.
As in `relational_databases` a difficulty is a key of several columns, dates, missing cells or wrong labels.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmarks.relational_databases import Difficulties, Draw, Made, Rows, made


def joint_bank(path: Path, seed: int, n_rows: int, literals: int, hard: Difficulties) -> Made:
    """Clients who hold accounts together with others; accounts have loans and orders."""
    d = Draw(seed, hard)
    n = n_rows // 9
    n_accounts = n
    rows: Rows = {
        "district": [(k, d.one("plain hills coast city"), d.whole(8, 15) * 1000) for k in range(30)],
        "client": [(k, d.when(1935, 2003), d.one("f m"), d.whole(0, 30), None) for k in range(n)],
    }
    accounts = [
        (d.whole(1, 9), k, d.whole(0, 30), d.one("week month day"), d.when(2005, 2020))
        for k in range(n_accounts)
    ]
    holds = sorted({(d.whole(0, n), d.whole(0, n_accounts)) for _ in range(int(1.5 * n))})
    loans = [
        (d.whole(0, n_accounts), d.real(90000), d.whole(1, 6) * 12, d.one("ok late paid")) for _ in range(n)
    ]
    orders = [
        (d.whole(0, n_accounts), d.one("rent insurance leasing phone"), d.real(300))
        for _ in range(n_rows - int(4.5 * n))
    ]
    if hard.composite:
        ref = "bank INTEGER, account INTEGER, FOREIGN KEY (bank, account) REFERENCES account (bank, number)"
        account = "bank INTEGER, number INTEGER, PRIMARY KEY (bank, number)"

        def at(k: int) -> tuple[int, ...]:
            return accounts[k][0], k

        join = "{0}.bank = a.bank AND {0}.account = a.number"
        extra = 1
    else:
        ref = "account INTEGER REFERENCES account"
        account = "number INTEGER PRIMARY KEY"

        def at(k: int) -> tuple[int, ...]:
            return (k,)

        join = "{0}.account = a.number"
        extra = 0
    first, _, rest = ref.partition(", FOREIGN")
    rest = f", FOREIGN{rest}" if rest else ""
    key, _, primary = account.partition(", PRIMARY")
    primary = f", PRIMARY{primary}" if primary else ""
    schema = f"""
        CREATE TABLE district (id INTEGER PRIMARY KEY, land TEXT, wage INTEGER);
        CREATE TABLE client (id INTEGER PRIMARY KEY, born, sex TEXT, district INTEGER REFERENCES district,
            gold BOOLEAN);
        CREATE TABLE account ({key}, district INTEGER REFERENCES district, statement TEXT, opened{primary});
        CREATE TABLE holds (id INTEGER PRIMARY KEY, client INTEGER REFERENCES client, {first}{rest});
        CREATE TABLE loan (id INTEGER PRIMARY KEY, {first}, amount REAL, months INTEGER, status TEXT{rest});
        CREATE TABLE standing_order (id INTEGER PRIMARY KEY, {first}, purpose TEXT, amount REAL{rest});
    """
    rows["account"] = [(*at(k), *accounts[k][2:]) for k in range(n_accounts)]
    rows["holds"] = [(k, c, *at(a)) for k, (c, a) in enumerate(holds)]
    rows["loan"] = [(k, *at(a), *more) for k, (a, *more) in enumerate(loans)]
    rows["standing_order"] = [(k, *at(a), *more) for k, (a, *more) in enumerate(orders)]
    keep = {
        "district": {0},
        "client": {0, 3, 4},
        "account": {0, 1, 1 + extra},
        "holds": {0, 1, 2, 2 + extra},
        "loan": {0, 1, 1 + extra},
        "standing_order": {0, 1, 1 + extra},
    }
    every = (
        f"FROM client c JOIN holds h ON h.client = c.id JOIN account a ON {join.format('h')} "
        f"JOIN loan l ON {join.format('l')}"
    )
    question = {
        2: f"SELECT c.id FROM client c WHERE c.born < {d.since(1955)}",
        5: f"SELECT DISTINCT c.id {every} WHERE l.status = 'late' AND l.amount > 60000",
        8: f"SELECT DISTINCT c.id {every} JOIN district d ON d.id = a.district WHERE l.status = 'late' "
        f"AND l.amount > 50000 AND d.land = 'coast' AND a.opened >= {d.since(2010)}",
    }[literals]
    return made(d, path, schema, rows, keep, ("client", "id", "gold"), question)


def campus(path: Path, seed: int, n_rows: int, literals: int, hard: Difficulties) -> Made:
    """Students whose courses require courses of other departments."""
    d = Draw(seed, hard)
    n = n_rows // 10
    terms = ["spring", "autumn"]
    rows: Rows = {
        "faculty": [(k, d.one("law arts science medicine music")) for k in range(14)],
        "course": [(k, d.whole(0, 14), d.whole(1, 12), d.when(1990, 2020)) for k in range(200)],
        "requires": sorted({(d.whole(0, 200), d.whole(0, 200)) for _ in range(160)}),
        "student": [
            (k, d.when(1994, 2006), d.one("home abroad"), d.one("bsc ma phd"), None) for k in range(n)
        ],
    }
    seen = sorted({(d.whole(0, n), d.whole(0, 200), d.one(terms)) for _ in range(n_rows - n)})
    taken = [(*one, d.whole(0, 101), d.one("oral written essay")) for one in seen]
    columns = "student INTEGER REFERENCES student, course INTEGER REFERENCES course, term TEXT"
    columns += ", points INTEGER, form TEXT"
    table, rows["takes"], keep_of = d.link("takes", columns, "student, course, term", taken)
    schema = f"""
        CREATE TABLE faculty (id INTEGER PRIMARY KEY, subject TEXT);
        CREATE TABLE course (id INTEGER PRIMARY KEY, faculty INTEGER REFERENCES faculty, credits INTEGER, since);
        CREATE TABLE requires (course INTEGER REFERENCES course, needs INTEGER REFERENCES course,
            PRIMARY KEY (course, needs));
        CREATE TABLE student (id INTEGER PRIMARY KEY, born, origin TEXT, degree TEXT, prize BOOLEAN);
        {table}
    """
    keep = {"faculty": {0}, "course": {0, 1}, "requires": {0, 1}, "student": {0, 4}, "takes": keep_of}
    every = "FROM student s JOIN takes t ON t.student = s.id JOIN course k ON k.id = t.course"
    question = {
        2: f"SELECT s.id FROM student s WHERE s.born >= {d.since(2003)}",
        5: f"SELECT DISTINCT s.id {every} JOIN faculty f ON f.id = k.faculty WHERE t.points > 85 "
        "AND f.subject = 'law'",
        8: f"SELECT DISTINCT s.id {every} JOIN requires r ON r.course = k.id JOIN course q ON q.id = r.needs "
        "JOIN faculty f ON f.id = q.faculty WHERE t.points > 80 AND f.subject = 'law' AND s.origin = 'abroad'",
    }[literals]
    return made(d, path, schema, rows, keep, ("student", "id", "prize"), question)


def hospital(path: Path, seed: int, n_rows: int, literals: int, hard: Difficulties) -> Made:
    """Patients with stays in wards, and drugs and tests of each stay."""
    d = Draw(seed, hard)
    n = n_rows // 9
    n_stays = 2 * n
    rows: Rows = {
        "ward": [(k, d.one("surgery medicine heart children"), d.whole(10, 60)) for k in range(25)],
        "doctor": [(k, d.whole(0, 25), d.when(1985, 2022), d.one("chief senior junior")) for k in range(90)],
        "drug": [(k, d.one("opioid statin antibiotic diuretic steroid"), d.real(20)) for k in range(300)],
        "patient": [(k, d.when(1925, 2015), d.one("f m"), d.one("a b ab o"), None) for k in range(n)],
    }
    owner = [d.whole(0, n) for _ in range(n_stays)]
    number = [0] * n
    stays = []
    for k in range(n_stays):
        number[owner[k]] += 1
        stays.append(
            (owner[k], number[owner[k]], d.whole(0, 25), d.whole(0, 90), d.whole(1, 40), d.when(2012, 2023))
        )
    doses = [(d.whole(0, n_stays), d.whole(0, 300), d.real(100, 1)) for _ in range(3 * n)]
    tests = [
        (d.whole(0, n_stays), d.one("crp na k hb glucose"), d.real(50, 1)) for _ in range(n_rows - 6 * n)
    ]
    if hard.composite:
        ref, tail = (
            "patient INTEGER, stay INTEGER",
            ", FOREIGN KEY (patient, stay) REFERENCES stay (patient, number)",
        )
        key, primary = "patient INTEGER REFERENCES patient, number INTEGER", ", PRIMARY KEY (patient, number)"
        join, extra = "{0}.patient = s.patient AND {0}.stay = s.number", 1
    else:
        ref, tail = "stay INTEGER REFERENCES stay", ""
        key, primary = "id INTEGER PRIMARY KEY, patient INTEGER REFERENCES patient", ""
        join, extra = "{0}.stay = s.id", 0

    def at(k: int) -> tuple[int, ...]:
        return stays[k][:2] if hard.composite else (k,)

    schema = f"""
        CREATE TABLE ward (id INTEGER PRIMARY KEY, kind TEXT, beds INTEGER);
        CREATE TABLE doctor (id INTEGER PRIMARY KEY, ward INTEGER REFERENCES ward, since, rank TEXT);
        CREATE TABLE drug (id INTEGER PRIMARY KEY, class TEXT, price REAL);
        CREATE TABLE patient (id INTEGER PRIMARY KEY, born, sex TEXT, blood TEXT, readmitted BOOLEAN);
        CREATE TABLE stay ({key}, ward INTEGER REFERENCES ward, doctor INTEGER REFERENCES doctor, days INTEGER,
            "from"{primary});
        CREATE TABLE dose (id INTEGER PRIMARY KEY, {ref}, drug INTEGER REFERENCES drug, mg REAL{tail});
        CREATE TABLE test (id INTEGER PRIMARY KEY, {ref}, kind TEXT, value REAL{tail});
    """
    rows["stay"] = [tuple(one) if hard.composite else (k, one[0], *one[2:]) for k, one in enumerate(stays)]
    rows["dose"] = [(k, *at(a), *more) for k, (a, *more) in enumerate(doses)]
    rows["test"] = [(k, *at(a), *more) for k, (a, *more) in enumerate(tests)]
    keep = {
        "ward": {0},
        "doctor": {0, 1},
        "drug": {0},
        "patient": {0, 4},
        "stay": {0, 1, 2, 3},
        "dose": {0, 1, 1 + extra, 2 + extra},
        "test": {0, 1, 1 + extra},
    }
    every = "FROM patient p JOIN stay s ON s.patient = p.id"
    question = {
        2: f"SELECT p.id FROM patient p WHERE p.born < {d.since(1945)}",
        5: f"SELECT DISTINCT p.id {every} JOIN test t ON {join.format('t')} WHERE t.kind = 'crp' AND t.value > 60",
        8: f"SELECT DISTINCT p.id {every} JOIN dose x ON {join.format('x')} JOIN drug g ON g.id = x.drug "
        f"JOIN ward w ON w.id = s.ward WHERE g.class = 'opioid' AND x.mg > 60 AND w.kind = 'surgery' AND s.days > 8",
    }[literals]
    return made(d, path, schema, rows, keep, ("patient", "id", "readmitted"), question)


def shop(path: Path, seed: int, n_rows: int, literals: int, hard: Difficulties) -> Made:
    """Customers with orders, whose items are products of suppliers."""
    d = Draw(seed, hard)
    n = n_rows // 12
    n_orders = 3 * n
    countries = "fr de it es nl dk"
    rows: Rows = {
        "supplier": [(f"firm {k}", d.one(countries), d.whole(1, 6)) for k in range(40)],
        "category": [(c, d.one("low full")) for c in ("toys", "food", "books", "garden", "music")],
        "product": [
            (k, f"firm {d.whole(0, 40)}", d.one(["toys", "food", "books", "garden", "music"]), d.real(40))
            for k in range(500)
        ],
        "customer": [
            (k, d.one(countries), d.when(2000, 2022), d.one("web shop mail"), None) for k in range(n)
        ],
        "order": [(k, d.whole(0, n), d.when(2018, 2023), d.one("card cash bill")) for k in range(n_orders)],
    }
    lines: dict[int, int] = {}
    items = []
    for _ in range(n_rows - 4 * n - 545):
        k = d.whole(0, n_orders)
        lines[k] = lines.get(k, 0) + 1
        items.append((k, lines[k], d.whole(0, 500), d.whole(1, 12), d.one("no yes")))
    columns = (
        '"order" INTEGER REFERENCES "order", line INTEGER, product INTEGER REFERENCES product, '
        "amount INTEGER, returned TEXT"
    )
    table, rows["item"], keep_of = d.link("item", columns, '"order", line', items)
    keep_of.add(max(keep_of) + 1)  # the product
    schema = f"""
        CREATE TABLE supplier (name TEXT PRIMARY KEY, country TEXT, stars INTEGER);
        CREATE TABLE category (name TEXT PRIMARY KEY, tax TEXT);
        CREATE TABLE product (id INTEGER PRIMARY KEY, supplier TEXT REFERENCES supplier,
            category TEXT REFERENCES category, price REAL);
        CREATE TABLE customer (id INTEGER PRIMARY KEY, country TEXT, since, way TEXT, complains BOOLEAN);
        CREATE TABLE "order" (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customer, placed, payment TEXT);
        {table}
    """
    keep = {"supplier": {0}, "category": {0}, "product": {0, 1, 2}, "customer": {0, 4}, "order": {0, 1}}
    every = (
        'FROM customer c JOIN "order" o ON o.customer = c.id JOIN item i ON i."order" = o.id '
        "JOIN product p ON p.id = i.product"
    )
    question = {
        2: f"SELECT c.id FROM customer c WHERE c.since < {d.since(2006)}",
        5: f"SELECT DISTINCT c.id {every} WHERE p.category = 'toys' AND p.price > 50",
        8: f"SELECT DISTINCT c.id {every} JOIN supplier s ON s.name = p.supplier WHERE s.country = c.country "
        "AND p.price > 30 AND i.amount > 3 AND o.payment = 'card'",
    }[literals]
    return made(d, path, schema, rows, keep | {"item": keep_of}, ("customer", "id", "complains"), question)


def films(path: Path, seed: int, n_rows: int, literals: int, hard: Difficulties) -> Made:
    """Actors with roles in films of studios and directors."""
    d = Draw(seed, hard)
    n = n_rows // 8
    n_films = n
    rows: Rows = {
        "studio": [(k, d.one("us uk in jp"), d.whole(1910, 2000)) for k in range(60)],
        "director": [(k, d.when(1920, 1990), d.one("f m"), d.whole(0, 6)) for k in range(400)],
        "film": [
            (
                k,
                d.whole(0, 60),
                d.whole(0, 400),
                d.one("drama comedy noir war western"),
                d.when(1950, 2020),
                d.real(30),
            )
            for k in range(n_films)
        ],
        "actor": [(k, d.when(1920, 2000), d.one("f m"), d.one("us uk in jp"), None) for k in range(n)],
    }
    pairs = sorted({(d.whole(0, n_films), d.whole(0, n)) for _ in range(n_rows - 2 * n - 460)})
    played = [(*one, d.one("lead support extra"), d.whole(1, 30)) for one in pairs]
    columns = "film INTEGER REFERENCES film, actor INTEGER REFERENCES actor, kind TEXT, billing INTEGER"
    table, rows["role"], keep_of = d.link("role", columns, "film, actor", played)
    schema = f"""
        CREATE TABLE studio (id INTEGER PRIMARY KEY, country TEXT, founded INTEGER);
        CREATE TABLE director (id INTEGER PRIMARY KEY, born, sex TEXT, awards INTEGER);
        CREATE TABLE film (id INTEGER PRIMARY KEY, studio INTEGER REFERENCES studio,
            director INTEGER REFERENCES director, genre TEXT, released, budget REAL);
        CREATE TABLE actor (id INTEGER PRIMARY KEY, born, sex TEXT, country TEXT, famous BOOLEAN);
        {table}
    """
    keep = {"studio": {0}, "director": {0}, "film": {0, 1, 2}, "actor": {0, 4}, "role": keep_of}
    every = "FROM actor a JOIN role r ON r.actor = a.id JOIN film f ON f.id = r.film"
    question = {
        2: f"SELECT a.id FROM actor a WHERE a.born < {d.since(1940)}",
        5: f"SELECT DISTINCT a.id {every} JOIN director d ON d.id = f.director WHERE r.kind = 'lead' "
        "AND d.awards > 3",
        8: f"SELECT DISTINCT a.id {every} JOIN director d ON d.id = f.director WHERE d.born < {d.since(1960)} "
        "AND f.genre = 'drama' AND r.billing <= 12 AND f.budget > 20",
    }[literals]
    return made(d, path, schema, rows, keep, ("actor", "id", "famous"), question)


FRESH: dict[str, Callable[[Path, int, int, int, Difficulties], Made]] = {
    "joint-bank": joint_bank,
    "campus": campus,
    "hospital": hospital,
    "shop": shop,
    "films": films,
}
