import subprocess
import sys

import polars as pl
import pytest

from induce.core.errors import InputError
from induce.data.catalogue import TABLES, dataset, datasets

SIZES = {
    "enjoy-sport": (4, 6),
    "enjoy-sport-new": (4, 6),
    "enjoy-sport-disjunctive": (3, 6),
    "enjoy-sport-fifth": (5, 6),
    "play-tennis": (14, 4),
    "play-tennis-noisy": (15, 4),
    "temperature": (6, 1),
    "people-pairs": (4, 8),
    "exercise-3.2": (6, 2),
    "rectangles": (8, 2),
    "shapes-1": (4, 3),
    "shapes-2": (4, 3),
    "shapes-inconsistent": (3, 3),
    "shapes-noisy": (5, 3),
    "shapes-conflict": (5, 3),
    "cup": (10, 12),
    "restaurant": (12, 10),
    "weights": (8, 1),
    "two-lines": (12, 1),
    "earthquakes": (63, 2),
    "earthquakes-noisy": (72, 2),
    "candy": (1000, 3),
    "exercise-20.15": (14, 6),
    "iris": (150, 4),
    "wine": (178, 13),
    "breast-cancer": (569, 30),
    "digits": (1797, 64),
    "diabetes": (442, 10),
    "generated-digits": (500, 784),
    "generated-faces": (192, 960),
}


def test_every_table_is_there_and_every_file_is_used():
    assert {entry.name for entry in datasets()} == set(SIZES)
    assert all(entry.description and "\n" not in entry.description for entry in datasets())
    assert {path.stem for path in TABLES.glob("*.csv")} <= set(SIZES)


@pytest.mark.parametrize("name", SIZES)
def test_shapes_and_declarations(name):
    data = dataset(name)
    assert data.X.shape == SIZES[name]
    assert data.name == name
    assert data.description
    assert (data.y is None) == (name in ("enjoy-sport-new", "candy"))
    for column in data.schema.inputs():
        dtype = data.X.schema[column.name]
        assert (column.kind == "nominal") == isinstance(dtype, pl.Enum)
        if isinstance(dtype, pl.Enum):
            assert tuple(dtype.categories) == column.domain
    assert data.frame.null_count().sum_horizontal()[0] == 0


def test_the_sizes_of_the_books_instance_spaces():
    def space(name):
        size = 1
        for column in dataset(name).schema.inputs():
            size *= len(column.domain)
        return size

    assert space("enjoy-sport") == space("enjoy-sport-new") == 96
    assert space("play-tennis") == 36
    assert space("restaurant") == 9216
    assert space("people-pairs") == (2 * 3 * 3 * 7) ** 2


def test_identifiers_are_known_but_not_inputs():
    tennis = dataset("play-tennis")
    assert tennis.schema["Day"].role == "id"
    assert tennis.frame["Day"].to_list()[-1] == "D14"
    assert tennis.y.value_counts().sort("count")["count"].to_list() == [5, 9]
    assert dataset("restaurant").schema["ex"].role == "id"


def test_the_line_of_the_text_separates_the_earthquakes():
    def errors(name):
        frame = dataset(name).frame
        explosion = -4.9 + 1.7 * frame["x1"] - frame["x2"] >= 0
        return int((explosion != (frame["event"] == "explosion")).sum())

    assert errors("earthquakes") == 0
    assert errors("earthquakes-noisy") == 4


def test_data_that_the_source_does_not_print_says_so():
    for name in ("exercise-3.2", "rectangles"):
        assert "as recalled, not printed in the source we have" in dataset(name).description


def test_bundled_tables_agree_with_scikit_learn():
    from sklearn.datasets import load_breast_cancer, load_iris

    iris = load_iris()
    assert dataset("iris").X.to_numpy().tolist() == iris.data.tolist()
    assert dataset("iris").y.to_list() == [str(iris.target_names[code]) for code in iris.target]
    cancer = load_breast_cancer()
    assert dataset("breast-cancer").X.columns == cancer.feature_names.tolist()
    assert dataset("breast-cancer").y.to_list() == [str(cancer.target_names[code]) for code in cancer.target]


def test_an_unknown_name():
    with pytest.raises(InputError, match="there is no dataset 'Play Tenis'; did you mean 'play-tennis'"):
        dataset("Play Tenis")


def test_neither_reading_nor_the_catalogue_imports_scikit_learn():
    code = "import sys; from induce.data.catalogue import dataset; dataset('iris'); "
    code += "print('sklearn' in sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert ran.stdout.strip() == "False"
