"""Images on the command line: learn, predict with rejection, weight pictures, and what spoke for a class."""

import io

import numpy as np
import polars as pl
import pytest
from PIL import Image

from induce.data.images import generated_digits, generated_faces


@pytest.fixture(scope="module")
def faces(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faces")
    data = generated_faces(2)
    rows = data.frame.select("person", "pose", "mood", "eyes").rows()
    for image, parts in zip(data.grid.images(data.X), rows, strict=True):
        Image.fromarray(image).save(folder / f"{'_'.join(parts)}_4.png")
    return folder


@pytest.fixture
def model(run, faces, tmp_path):
    path = tmp_path / "poses.induce"
    learned = run(
        "learn", faces, "--labels", "{person}_{pose}_{mood}_{eyes}_4", "--target", "pose", "--out", path, "--cv", "3",
        "--learner", "KNeighborsClassifier", "n_neighbors=1", "metric=euclidean",
    )  # fmt: skip
    assert learned.code == 0, learned.err
    assert "960 numeric columns" in learned.out
    assert learned.err == ""
    return path


def test_an_image_is_predicted_with_its_confidence(run, model, faces):
    photo = faces / "person01_up_sad_open_4.png"
    found = pl.read_csv(io.StringIO(run("predict", model, photo).out))
    assert found.rows() == [("person01_up_sad_open_4.png", "up", 1.0)]
    marked = pl.read_csv(io.StringIO(run("predict", model, faces, "--reject", "40%").out))
    assert marked.columns == ["file", "prediction", "confidence", "rejected"]
    assert len(marked) == 64


NAMES = "{person}_{pose}_{mood}_{eyes}_4"


def test_labelled_images_test_a_model_and_compare_learners(run, model, faces, tmp_path):
    found = run("evaluate", model, faces, "--labels", NAMES)
    assert found.code == 0, found.err
    assert "error 0" in found.out.splitlines()[0]
    compared = run(
        "compare", faces, "--labels", NAMES, "--target", "pose", "--cv", "2", "--learners",
        "DecisionStump,KNeighborsClassifier metric=euclidean",
    )  # fmt: skip
    assert compared.code == 0, compared.err
    assert "DecisionStump" in compared.out
    small = tmp_path / "small"
    small.mkdir()
    Image.new("L", (5, 4)).save(small / "a_up_sad_open_4.png")
    assert (
        "4 x 5 pixels, but the model was trained on 30 x 32"
        in run("evaluate", model, small, "--labels", NAMES).err
    )


def test_an_image_is_explained_by_a_picture(run, model, faces, tmp_path):
    photo, path = faces / "person01_up_sad_open_4.png", tmp_path / "why.png"
    assert run("explain", model, photo, "--draw", path).out.startswith("up because")
    assert Image.open(path).size[0] > 300


def test_weights_of_pixels_are_drawn_as_images(run, faces, tmp_path):
    model, path = tmp_path / "n.induce", tmp_path / "w.svg"
    learned = run(
        "learn", faces, "--labels", "{person}_{pose}_{mood}_{eyes}_4", "--target", "eyes", "--out", model,
        "--no-evaluate", "--learner", "NeuralNetworkClassifier", "hidden=2", "max_epochs=5",
    )  # fmt: skip
    assert learned.code == 0, learned.err
    assert run("show", model, "--picture", "weights", "--out", path).code == 0
    assert path.read_text(encoding="utf-8").count("<image") == 3


def test_transformations_are_kept_with_the_model(run, tmp_path):
    data = generated_digits(60)
    for number, (image, digit) in enumerate(zip(data.grid.images(data.X), data.y, strict=True)):
        (tmp_path / "digits" / digit).mkdir(parents=True, exist_ok=True)
        Image.fromarray(image).save(tmp_path / "digits" / digit / f"{number}.png")
    model = tmp_path / "d.induce"
    learned = run(
        "learn", tmp_path / "digits", "--labels", "folder", "--learner", "ImageClassifier", "--no-evaluate", "--out",
        model, "transformations=deslant,crop:24,coarsen:2",
    )  # fmt: skip
    assert learned.code == 0, learned.err
    assert "images of 28 x 28 pixels, deslant, crop 24 x 24, coarsen 2, 12 x 12 pixels" in learned.out
    found = pl.read_csv(io.StringIO(run("predict", model, tmp_path / "digits").out))
    assert (found["prediction"] == found["file"].str.split("/").list.first().cast(int)).mean() > 0.9


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("predict", "{model}", "{small}"),
            "has images of 4 x 4 pixels, but the model was trained on 30 x 32",
        ),
        (
            ("predict", "{model}", "{photo}", "--reject", "much"),
            "--reject is 'much'; give the error to reach",
        ),
        (("explain", "{model}", "{photo}", "--draw", "why.txt"), "why.txt"),
        (("explain", "{model}", "{photo}", "--row", "2"), "there is no row 2; the last is 1"),
    ],
)
def test_bad_input_is_one_line(run, model, faces, tmp_path, arguments, said):
    small = tmp_path / "small.png"
    Image.fromarray(np.zeros((4, 4), np.uint8)).save(small)
    places = {"model": model, "small": small, "photo": faces / "person01_up_sad_open_4.png"}
    result = run(*(each.format(**places) for each in arguments))
    assert result.code == 2
    assert said in result.err
    assert len(result.err.strip().splitlines()) == 1
