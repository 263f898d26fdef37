"""Clusters as people meet them: printed, explained, drawn, saved, assigned."""

import numpy as np
import polars as pl
import pytest
from sklearn.cluster import KMeans as Peer
from sklearn.metrics import adjusted_rand_score

import induce
from induce.core.errors import InputError


@pytest.fixture(scope="module")
def iris():
    return induce.dataset("iris")


def mixed():
    random = np.random.default_rng(0)
    which = random.choice(2, 60, p=[0.6, 0.4])
    return which, pl.DataFrame(
        {
            "size": random.normal(size=60) + 6 * which,
            "colour": np.where(random.random(60) < 0.9, np.array(["red", "blue"])[which], "green"),
            "always": np.full(60, 3.0),
            "never": pl.Series([None] * 60, dtype=pl.Float64),
        }
    )


@pytest.mark.parametrize("learner", [induce.GaussianMixture(2), induce.MixtureModel(2), induce.KMeans(2)])
def test_what_sets_clusters_apart(learner):
    which, X = mixed()
    with pytest.warns(induce.Note, match="1 column is constant and ignored: 'always'"):
        labels = learner.fit_predict(X)
    assert adjusted_rand_score(which, labels) > 0.9
    mixture = learner.hypothesis_
    first, second = mixture.clusters
    assert first.share == pytest.approx((labels == 0).mean(), abs=0.03)
    assert [each.column for each in first.differences] == ["size", "colour"]
    assert first.differences[0].inside[0] < 1 < 5 < second.differences[0].inside[0]
    assert {each.value for cluster in (first, second) for each in cluster.differences} == {
        None,
        "red",
        "blue",
    }
    assert mixture.fidelity > 0.9
    assert "IF size" in str(first)
    assert f"agree with the clusters on {mixture.fidelity:.1%} of the rows" in str(mixture)
    assert (
        mixture.score_samples(X.with_columns(always=99.0, never=1.0)).tolist()
        == mixture.score_samples(X).tolist()
    )
    drawn = learner.sample(20, random_state=0)
    assert drawn["always"].to_list() == [3.0] * 20
    assert drawn["never"].null_count() == 20
    assert mixture.draw() is not None


def test_an_explanation_adds_up(iris):
    """Where columns are independent, shares and columns make the log odds."""
    X, _ = iris
    mixture = induce.MixtureModel(3, rules=False).fit(X).hypothesis_
    told = mixture.explain(X[[0, 60, 120]])
    logs = mixture.log_joint(X[[0, 60, 120]])
    for each, row in zip(told, logs, strict=True):
        prior = np.log(mixture.shares[each.prediction] / mixture.shares[each.against])
        weights = sum(column.weight for column in each.columns)
        assert prior + weights == pytest.approx(row[each.prediction] - row[each.against])
        assert each.prediction == row.argmax()
    assert "against cluster" in str(told[0])


def test_a_row_without_anything(iris):
    X, _ = iris
    model = induce.MixtureModel(2, rules=False).fit(X)
    (told,) = model.explain(X[:1].with_columns(pl.lit(None).cast(float).alias(name) for name in X.columns))
    assert told.columns == ()
    assert told.prediction == 0
    assert told.log_density == pytest.approx(0.0)


def test_one_cluster():
    model = induce.GaussianMixture(1).fit([[1.0, 2.0], [2.0, 4.5], [4.0, 4.0]])
    assert model.labels_.tolist() == [0, 0, 0]
    assert model.hypothesis_.rules is None
    assert str(model.explain([[1.0, 2.0]])[0]).endswith("it is the only cluster")


def test_densities_of_categories_sum_to_one():
    which, X = mixed()
    X = X.select(a="colour", b=pl.Series(np.where(which, "u", "v")))
    model = induce.MixtureModel(2).fit(X)
    cells = pl.DataFrame(
        [(a, b) for a in ("red", "blue", "green") for b in "uv"], schema=["a", "b"], orient="row"
    )
    assert np.exp(model.score_samples(cells)).sum() == pytest.approx(1)
    unseen = pl.DataFrame({"a": ["mauve", None], "b": ["u", "u"]})
    assert np.ptp(model.score_samples(unseen)) == 0


def test_k_means_is_that_of_scikit_learn(iris):
    X, _ = iris
    ours = induce.KMeans(3, scale=None, n_init=10, rules=False).fit(X)
    theirs = Peer(3, n_init=10, random_state=0).fit(X.to_numpy())
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1
    step = ours.hypothesis_.scale[0]
    inertia = ours.hypothesis_.squares(ours.hypothesis_.encoded(X)).min(axis=1).sum() * step**2
    assert inertia == pytest.approx(theirs.inertia_)
    order = np.argsort(ours.hypothesis_.centres[:, 0])
    centres = theirs.cluster_centers_[np.argsort(theirs.cluster_centers_[:, 0])]
    assert ours.hypothesis_.centres[order] == pytest.approx(centres)


def test_held_out_rows_are_likelier_with_the_clusters_they_come_from():
    random = np.random.default_rng(0)
    X = np.concatenate([random.normal(size=(40, 2)), random.normal(size=(40, 2)) + 7])
    one, two = (induce.evaluate(induce.GaussianMixture(k, rules=False), X, cv=4).value for k in (1, 2))
    assert two > one + 0.3


@pytest.mark.parametrize("learner", [induce.GaussianMixture, induce.MixtureModel, induce.KMeans])
def test_fewer_rows_than_clusters(learner):
    with pytest.raises(InputError, match="is 4, but there are only 2 distinct rows; give at most 2"):
        learner(4).fit([[1.0], [1.0], [2.0]])


@pytest.mark.parametrize("learner", [induce.GaussianMixture, induce.MixtureModel, induce.KMeans])
def test_huge_numbers(learner):
    X = [[1e300, -1e-300], [1.1e300, 1e-300], [-1e300, 0.0], [-1.1e300, 5e-300]]
    model = learner(2, rules=False).fit(X)
    assert np.isfinite(model.score_samples(X)).all()
    assert len(set(model.labels_.tolist())) == 2
    assert len({model.predict([row])[0] for row in X[:2]}) == 1


def test_columns_that_follow_from_each_other():
    x = np.random.default_rng(0).normal(size=50)
    model = induce.GaussianMixture(2, prior=0, rules=False).fit(np.column_stack([x, 2 * x, -x]))
    assert np.isfinite(model.hypothesis_.log_likelihood)
