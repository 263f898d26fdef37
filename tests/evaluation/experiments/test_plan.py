"""Plans: what they may say, and one sentence for what they may not."""

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.evaluation.experiments import read_plan
from induce.evaluation.experiments.factory import built, ready
from induce.evaluation.experiments.tables import loaded

GOOD = """
title = "Trees"
seeds = [3, 4]
score = "balanced_accuracy"
keep = "all"
time_limit = 60

[splits]
folds = 4
repeats = 2

[learners]
tree = "C45"
careful = {learner = "C45", confidence_factor = 0.1, pruning = "none"}
boosted = {learner = "sklearn.ensemble.AdaBoostClassifier", estimator = {learner = "DecisionStump"}}

[datasets]
iris = "iris"
own = {data = "own.csv", target = "y", nominal = ["code"], ignore = ["note"], groups = "who"}
"""
OWN = "x,code,note,who,y\n" + "".join(f"{i * i},{i % 3},n{i},w{i % 8},{'pq'[i % 2]}\n" for i in range(40))


@pytest.fixture
def good(written, tmp_path):
    (tmp_path / "own.csv").write_text(OWN, encoding="utf-8")
    return read_plan(written(GOOD))


def test_what_a_plan_says(good):
    assert (good.title, good.seeds, good.keep, good.time_limit) == ("Trees", (3, 4), "all", 60)
    assert str(good.splits) == "2 times 4-fold cross-validation"
    assert (good.measure.name, good.measure.higher) == ("balanced accuracy", True)
    assert list(good.learners) == ["tree", "careful", "boosted"]
    assert repr(good.learner("careful")) == "C45(confidence_factor=0.1, pruning=None)"
    boosted = good.learner("boosted")
    assert isinstance(boosted, AdaBoostClassifier)
    assert isinstance(boosted.estimator, induce.DecisionStump)


def test_files_are_looked_for_beside_the_plan(good):
    _, own = loaded(good)
    assert own.data.X.columns == ["x", "code"]
    assert own.data.schema["code"].kind == "nominal"
    assert own.classes == ("p", "q")
    groups = own.data.frame["who"].to_numpy()
    for drawn in own.drawn.values():
        assert drawn.grouped
        for train, test in drawn.splits:
            assert not set(groups[train]) & set(groups[test])


def test_a_seed_reaches_the_splits_and_the_learners(good):
    iris, own = loaded(good)
    assert not all(
        np.array_equal(one[1], other[1])
        for one, other in zip(iris.drawn[3].splits, iris.drawn[4].splits, strict=True)
    )
    assert ready(good.learner("tree"), iris.data, 4, {}).random_state == 4
    boosted = ready(good.learner("boosted"), own.data, 4, {})[-1]
    assert (boosted.random_state, boosted.estimator.random_state) == (4, 4)
    said = {"learner": "C45", "random_state": 7}
    assert ready(built(said), iris.data, 4, said).random_state == 7


def test_a_learner_of_scikit_learn_gets_numbers(tmp_path):
    path = tmp_path / "holes.csv"
    path.write_text(
        "n,word,day,y\n1,a,2020-01-01,p\n,b,2020-01-02,q\n3,?,2020-01-03,p\n4,c,2020-01-04,q\n",
        encoding="utf-8",
    )
    data = induce.read(path, "y")
    fitted = ready(built({"learner": "sklearn.linear_model.LogisticRegression"}), data, 0, {}).fit(*data)
    assert fitted.predict(data.X).shape == (4,)
    assert [*fitted[:-1].get_feature_names_out()] == ["word_a", "word_b", "word_c", "word_None", "n"]


MINIMAL = {"learners": {"t": "ID3"}, "datasets": {"d": "play-tennis"}}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"learners": {"t": "C54"}}, "learner 't': there is no learner 'C54'; did you mean 'C45'?"),
        ({"learners": {"t": "RandomForestClassifier"}}, "'sklearn.ensemble.RandomForestClassifier'"),
        ({"learners": {"t": "sklearn.tree.DecisionTreeClasifier"}}, "did you mean 'sklearn.tree.Dec"),
        ({"learners": {"t": "sklearn.os"}}, "'sklearn.os' is not a learner"),
        ({"learners": {"t": "sklearn.utils.Bunch"}}, "'sklearn.utils.Bunch' is not a learner"),
        ({"learners": {"t": "sklearn.cluster.KMeans"}}, "KMeans predicts neither classes nor numbers"),
        ({"learners": {"t": "os.system"}}, "there is no learner 'os.system'"),
        ({"learners": {"t": 3}}, "learner 't': give the name of a learner"),
        ({"learners": {"t": {"max_depth": 3}}}, "learner 't': the learner is not named"),
        (
            {"learners": {"t": {"learner": "C45", "max_dept": 3}}},
            "of C45 'max_dept'; did you mean 'max_depth'?",
        ),
        ({"learners": {"t": {"learner": "C45", "confidence_factor": 7}}}, "learner 't': confidence_factor"),
        ({"learners": {"t": {"learner": "sklearn.svm.SVC", "C": -1.0}}}, "The 'C' parameter of SVC must be"),
        ({"learners": {}}, "[learners] is empty; give at least one learner"),
        (
            {"learners": {"t": "ID3", "r": "ModelTree"}},
            "'t' predicts classes and learner 'r' predicts numbers",
        ),
        ({"datasets": {"d": {"target": "y"}}}, "data set 'd': give a shipped data set or a file"),
        ({"datasets": {"d": {"data": "a.csv", "traget": "y"}}}, "no key 'traget'; did you mean 'target'?"),
        ({"datasets": {"d": {"data": "a.csv", "nominal": "y"}}}, "nominal is 'y'; give a list of strings"),
        ({"datasets": {"d": {"data": "a.csv", "target": 3}}}, "target is 3; give a string"),
        ({"splits": {"fold": 3}}, "there is no key of [splits] 'fold'; did you mean 'folds'?"),
        ({"splits": {"folds": 1}}, "folds is 1; it must be a whole number of at least 2"),
        ({"splits": {"folds": True}}, "folds is 'true'"),
        ({"splits": {"folds": 3, "hold_out": 0.3}}, "[splits] has folds and hold_out; give one of them"),
        ({"splits": {"hold_out": 1.5}}, "hold_out is 1.5; it must be a number between 0 and 1"),
        ({"splits": {"repeats": 0}}, "repeats is 0"),
        ({"splits": {"stratify": "no"}}, "stratify is 'no'; it can be true or false"),
        ({"splits": 3}, "splits is 3; give a table"),
        ({"seeds": []}, "give at least one seed"),
        ({"seeds": [1, 1]}, "without repetition"),
        ({"seeds": [-1]}, "a seed is -1"),
        ({"seeds": 2**32}, "; the largest seed is 4294967295"),
        ({"score": "acuracy"}, "there is no score 'acuracy'; did you mean 'accuracy'?"),
        ({"score": "absolute"}, "score is 'absolute'; it can be 'zero-one'"),
        ({"score": 3}, "score is 3; give the name of one score"),
        ({"keep": "some"}, "keep is 'some'; it can be 'first', 'all', 'none'"),
        ({"time_limit": 0}, "time_limit is 0; give a number of seconds above 0"),
        ({"learner": {}}, "there is no key 'learner'; did you mean 'learners'?"),
    ],
)
def test_what_a_plan_may_not_say(changes, expected):
    with pytest.raises(InputError) as found:
        read_plan(MINIMAL | changes)
    assert expected in str(found.value)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ("irs", "and there is no dataset 'irs'; did you mean 'iris'?"),
        ("none.csv", "there is no file"),
        ({"data": "iris", "target": "colour"}, "there is no column 'colour'"),
        ("diabetes-none", "there is no file"),
        ({"data": "one.csv", "target": "y"}, "the target 'y' has only one value, 'p'"),
        ({"data": "one.csv"}, "the target column is unknown; name it with target; the columns are x, y"),
        (
            {"data": "few.csv", "target": "y", "groups": "x"},
            "groups is missing in 1 row; give every row a group",
        ),
    ],
)
def test_data_that_cannot_be_used(tmp_path, written, definition, expected):
    (tmp_path / "one.csv").write_text("x,y\n1,p\n2,p\n3,p\n", encoding="utf-8")
    (tmp_path / "few.csv").write_text("x,z,y\na,1,p\n,2,q\nc,3,p\nd,1,q\n", encoding="utf-8")
    plan = read_plan(MINIMAL | {"datasets": {"bad": definition}, "splits": {"folds": 2}})
    with pytest.raises(InputError) as found:
        loaded(type(plan)(**{**vars(plan), "folder": str(tmp_path)}))
    assert str(found.value).startswith("data set 'bad': ")
    assert expected in str(found.value)


def test_more_folds_than_rows():
    plan = read_plan(MINIMAL | {"splits": {"folds": 20}})
    with pytest.raises(
        InputError, match="data set 'd': cv is 20; give a number of folds from 2 to the number of rows, 14"
    ):
        loaded(plan)


def test_numbers_where_classes_are_learned():
    with pytest.warns(Note, match="each of its 214 values is treated as a class"):
        loaded(read_plan(MINIMAL | {"datasets": {"d": "diabetes"}, "splits": {"folds": 2}}))
    plan = read_plan(MINIMAL | {"learners": {"r": "DecisionTreeRegressor"}})
    with pytest.raises(
        InputError, match="the target 'PlayTennis' holds nominal values, but the learners predict"
    ):
        loaded(plan)


def test_a_shipped_table_with_another_target():
    plan = read_plan(
        MINIMAL | {"datasets": {"d": {"data": "play-tennis", "target": "Wind"}}, "splits": {"folds": 2}}
    )
    (table,) = loaded(plan)
    assert (table.data.target, table.classes) == ("Wind", ("Strong", "Weak"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[learners]\na = \n", "is not TOML: invalid value (at line 2, column 5)"),
        ("[learners]\na = 'C45'\n[learners]\n", "(at line 3, column"),
    ],
)
def test_malformed_toml_names_the_line(written, text, expected):
    path = written(text)
    with pytest.raises(InputError) as found:
        read_plan(path)
    assert str(found.value).startswith(f"the plan {str(path)!r} ")
    assert expected in str(found.value)


def test_plans_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="there is no plan"):
        read_plan(tmp_path / "none.toml")
    with pytest.raises(InputError, match="cannot be read"):
        read_plan(tmp_path)
    (tmp_path / "latin.toml").write_bytes("title = 'é'".encode("latin-1"))
    with pytest.raises(InputError, match="is not UTF-8"):
        read_plan(tmp_path / "latin.toml")
