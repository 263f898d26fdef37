"""Images as tables: reading, what is refused, transformations and distortions."""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from induce.core.errors import InputError
from induce.core.loops import compiled
from induce.core.notes import Note
from induce.data.images import (
    Centre,
    Coarsen,
    Crop,
    Deslant,
    Distortions,
    Edges,
    Grid,
    Resize,
    Scale,
    generated_digits,
    generated_faces,
    read_images,
)
from induce.data.images._loops import moments, warped
from induce.data.images.reading import image_rows, is_images
from induce.data.images.transformations import slants


def idx(array: Any, kind: int = 8) -> bytes:
    """An array as an idx file."""
    array = np.asarray(array)
    return bytes([0, 0, kind, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes()


@pytest.fixture
def digits() -> Any:
    data = generated_digits(20)
    return data.grid.images(data.X), data.y.to_list()


def draw(folder: Path, *names: str, size: tuple[int, int] = (3, 2)) -> Path:
    for k, name in enumerate(names):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("L", size, 10 * k).save(path)
    return folder


class TestReading:
    def test_an_idx_file_and_its_labels_are_a_table_of_bytes(self, tmp_path: Path, digits: Any) -> None:
        images, labels = digits
        (tmp_path / "images.gz").write_bytes(gzip.compress(idx(images)))
        (tmp_path / "labels").write_bytes(idx(np.array(labels, np.uint8)))
        data = read_images(tmp_path / "images.gz", tmp_path / "labels")
        assert data.y.to_list() == labels
        assert set(data.X.dtypes) == {pl.UInt8}
        assert data.grid == Grid(28, 28)
        assert (data.grid.images(data.X) == images).all()

    def test_no_listing_has_a_line_for_each_pixel(self) -> None:
        data = generated_digits(3)
        assert len(repr(data).splitlines()) == 3
        assert "r5c5" not in data._repr_html_()

    def test_a_pattern_gives_a_nominal_column_for_each_part(self, tmp_path: Path) -> None:
        folder = draw(tmp_path, "a/ann_up_4.pgm", "b/bob_left_4.pgm")
        data = read_images(folder, "{person}_{pose}_4", target="pose")
        assert data.frame["person"].to_list() == ["ann", "bob"]
        assert data.y.to_list() == ["up", "left"]
        assert data.aside == ("person",)
        assert data.X.columns == list(Grid(2, 3).names())

    def test_labels_are_folders(self, tmp_path: Path) -> None:
        data = read_images(draw(tmp_path, "cat/1.png", "dog/1.png", "dog/2.png"), "folder")
        assert data.y.to_list() == ["cat", "dog", "dog"]

    def test_labels_are_lines_or_lines_with_names(self, tmp_path: Path) -> None:
        folder = draw(tmp_path, "a.png", "b.png")
        (tmp_path / "lines.txt").write_text("x\ny\n", encoding="utf-8")
        (tmp_path / "named.csv").write_text("b.png,x\na.png,y\n", encoding="utf-8")
        assert read_images(folder, tmp_path / "lines.txt").y.to_list() == ["x", "y"]
        assert read_images(folder, tmp_path / "named.csv").y.to_list() == ["y", "x"]

    def test_a_list_of_files_is_a_split_in_its_order(self, tmp_path: Path) -> None:
        folder = draw(tmp_path / "faces", "a/1.png", "b/1.png", "b/2.png")
        (tmp_path / "train.list").write_text(
            "/usr/elsewhere/b/2.png\n/usr/elsewhere/b/1.png\n", encoding="utf-8"
        )
        data = read_images(folder, files=tmp_path / "train.list")
        assert data.X["r0c0"].to_list() == [20, 10]

    @pytest.mark.parametrize("ending", ["zip", "tar.gz"])
    def test_archives_are_read_like_folders(self, tmp_path: Path, ending: str) -> None:
        folder = draw(tmp_path / "in", "x/a.png", "y/b.png")
        path = tmp_path / f"all.{ending}"
        if ending == "zip":
            with zipfile.ZipFile(path, "w") as archive:
                for each in sorted(folder.rglob("*.png")):
                    archive.write(each, each.relative_to(folder).as_posix())
                archive.writestr("README", "no image")
        else:
            with tarfile.open(path, "w:gz") as tar:
                tar.add(folder, ".")
        assert is_images(path)
        assert read_images(path, "folder").y.to_list() == ["x", "y"]

    def test_colour_and_16_bits_become_grey_with_a_note(self, tmp_path: Path) -> None:
        Image.new("RGB", (2, 2), (255, 0, 0)).save(tmp_path / "a.png")
        Image.fromarray(np.full((2, 2), 65535, np.uint16)).save(tmp_path / "b.png")
        with pytest.warns(Note) as said:
            data = read_images(tmp_path)
        assert [str(each.message).split(";")[0].split("has ")[1] for each in said] == ["colour", "16 bits"]
        assert data.X["r0c0"].to_list() == [76, 255]

    def test_photographs_are_turned_upright(self, tmp_path: Path) -> None:
        image = Image.new("L", (4, 2), 0)
        turned = Image.Exif()
        turned[0x0112] = 6
        image.save(tmp_path / "a.jpg", exif=turned)
        assert read_images(tmp_path / "a.jpg").grid == Grid(4, 2)


class TestBadInput:
    """One clear sentence each."""

    @pytest.mark.parametrize(
        ("body", "said"),
        [
            (idx(np.zeros((3, 2, 2), np.uint8))[:-5], "truncated: 3 items of 4 bytes are 12 bytes, but it has 7"),
            (idx(np.zeros((3, 2, 2), np.uint8)) + b"x", "longer than its header says"),
            (idx(np.zeros(5, np.uint8)), "contains 5 labels instead of images"),
            (idx(np.zeros((3, 2, 2), np.uint8))[:7], "ends within its header"),
            (b"\0\0\x08\x03" + struct.pack(">3I", 1, 40_000, 40_000), "claims items of 1,600,000,000 numbers"),
            (b"\0\0\x08\x03" + struct.pack(">3I", 10**9, 1, 1), "truncated"),
            (idx(np.zeros((0, 2, 2), np.uint8)), "contains no images"),
            (b"hello there", "is not a readable image"),
            (b"P5\n40000 40000\n255\n", "claims more than the maximum of 67,108,864 pixels"),
            (b"P5\n20 20\n255\nshort", "is damaged"),
        ],
    )  # fmt: skip
    def test_files(self, tmp_path: Path, body: bytes, said: str) -> None:
        path = tmp_path / "images.pgm"
        path.write_bytes(body)
        with pytest.raises(InputError, match=r"images\.pgm") as found:
            read_images(path)
        assert said in str(found.value)
        assert "\n" not in str(found.value)

    def test_damaged_compression(self, tmp_path: Path) -> None:
        path = tmp_path / "images.gz"
        path.write_bytes(gzip.compress(idx(np.arange(4000, dtype=np.uint8).reshape(10, 20, 20)))[:-20])
        with pytest.raises(InputError, match=r"images\.gz cannot be read"):
            read_images(path)

    def test_labels(self, tmp_path: Path) -> None:
        images, labels = tmp_path / "images", tmp_path / "labels"
        images.write_bytes(idx(np.zeros((3, 2, 2), np.uint8)))
        labels.write_bytes(idx(np.zeros(2, np.uint8)))
        with pytest.raises(InputError, match="images has 3 images, but labels has 2 labels"):
            read_images(images, labels)
        with pytest.raises(InputError, match="which cannot be labels"):
            read_images(images, images)
        for given_labels in ("{a}_{b}", "folder"):
            with pytest.raises(InputError, match="idx file"):
                read_images(images, given_labels)
        with pytest.raises(InputError, match="there is no file"):
            read_images(images, tmp_path / "none")

    def test_folders(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="has no images"):
            read_images(tmp_path)
        with pytest.raises(InputError, match="no file or folder"):
            read_images(tmp_path / "nowhere")
        draw(tmp_path, "a.png")
        draw(tmp_path, "b.png", size=(4, 4))
        with pytest.raises(InputError, match=r"a\.png has 2 x 3 pixels, but b\.png has 4 x 4"):
            read_images(tmp_path)

    def test_patterns(self, tmp_path: Path) -> None:
        folder = draw(tmp_path, "ann_up.png", "bob.png")
        with pytest.raises(InputError, match="matches no name, such as 'ann_up'"):
            read_images(folder, "{a}-{b}")
        with pytest.raises(InputError, match="1 of 2 names"):
            read_images(folder, "{a}_{b}")
        with pytest.raises(InputError, match="target is 'c'"):
            read_images(folder, "{a}", target="c")

    def test_an_image_of_another_size_at_predict(self, tmp_path: Path) -> None:
        draw(tmp_path, "a.png", size=(4, 4))
        with pytest.raises(
            InputError, match=r"a\.png has images of 4 x 4 pixels, but the model was trained on 28 x 28"
        ):
            image_rows(tmp_path / "a.png", Grid(28, 28))

    @pytest.mark.parametrize(
        "make",
        [
            lambda: Scale(0),
            lambda: Coarsen(0),
            lambda: Resize(0, 3),
            lambda: Coarsen(2, "median"),
            lambda: Coarsen(3).after(Grid(28, 28)),
            lambda: Centre(20, 20).after(Grid(28, 28)),
            lambda: Crop(30, 30).after(Grid(28, 28)),
            lambda: Edges(sigma=0),
            lambda: Distortions(shift=-1),
            lambda: Distortions(scale=1.5),
            lambda: next(Distortions().stream(np.zeros((2, 3, 3)), ["a"])),
            lambda: Grid(0, 3),
            lambda: Grid(2, 2).images(np.zeros((1, 5))),
        ],
    )
    def test_values(self, make: Any) -> None:
        with pytest.raises(InputError):
            make()


class TestTransformations:
    def test_deslanting_leaves_no_slant_and_is_done_once(self, digits: Any) -> None:
        images, _ = digits
        found = Deslant()(images)
        assert np.abs(slants(images)).max() > 0.2
        assert np.abs(slants(found)).max() < 0.01
        again = Deslant()(found)
        assert np.abs(again.astype(int) - found).max() <= 10

    @settings(max_examples=20, deadline=None)
    @given(st.integers(0, 2**31), st.integers(1, 4))
    def test_coarsening_by_means_keeps_the_mean(self, seed: int, block: int) -> None:
        images = np.random.default_rng(seed).integers(0, 256, (2, 12, 24)).astype(np.uint8)
        assert np.allclose(Coarsen(block)(images).mean(axis=(1, 2)), images.mean(axis=(1, 2)))
        drawn = Coarsen(block, "random", random_state=seed)(images)
        assert drawn.shape == (2, 12 // block, 24 // block)
        assert set(drawn[0].ravel()) <= set(images[0].ravel())

    @settings(max_examples=20, deadline=None)
    @given(st.integers(0, 2**31), st.integers(1, 30), st.integers(1, 30))
    def test_another_size_keeps_the_mean(self, seed: int, rows: int, columns: int) -> None:
        images = np.random.default_rng(seed).integers(0, 256, (2, 12, 24)).astype(np.uint8)
        found = Resize(rows, columns)(images)
        assert found.shape == (2, rows, columns)
        assert np.allclose(found.mean(axis=(1, 2)), images.mean(axis=(1, 2)))
        assert np.allclose(Resize(12, 24)(images), images)
        assert np.allclose(Resize(6, 12)(images), Coarsen(2)(images))

    def test_a_missing_pixel_counts_as_0_in_another_size(self) -> None:
        images = np.array([[[np.nan, 4.0], [8.0, 8.0]]])
        assert Resize(1, 2)(images).tolist() == [[[4.0, 6.0]]]

    def test_a_crop_brings_the_drawing_to_the_middle(self) -> None:
        images = np.zeros((2, 10, 10), np.uint8)
        images[0, 1:4, 6:9] = 9
        found = Crop(5, 5)(images)
        assert (found[0, 1:4, 1:4] == 9).all()
        assert found[0].sum() == images[0].sum()
        assert not found[1].any()

    def test_edges_are_thin_and_stay_within_their_image(self) -> None:
        images = np.zeros((2, 12, 12), np.uint8)
        images[0, 3:9, 3:9] = 255
        found = Edges(sigma=0.7)(images)
        assert not found[1].any()
        assert 12 <= np.count_nonzero(found[0]) <= 32
        assert not found[0, 5:7, 5:7].any()

    def test_no_distortion_changes_nothing(self, digits: Any) -> None:
        images, _ = digits
        assert (Distortions(0, 0, 0, 0)(images) == images).all()

    def test_a_stream_has_no_end_and_follows_its_seed(self, digits: Any) -> None:
        images, labels = digits
        one, other = (Distortions(random_state=3).stream(images, labels, 15) for _ in range(2))
        seen = []
        for _ in range(4):
            (X, y), (Z, z) = next(one), next(other)
            assert X.equals(Z)
            assert (y == z).all()
            seen += y.tolist()
        assert sorted(seen[:20]) == sorted(labels)

    def test_a_shift_moves_by_its_limit_at_most(self) -> None:
        images = np.zeros((200, 9, 9), np.uint8)
        images[:, 4, 4] = 255
        found = Distortions(shift=2.0, angle=0, scale=0, slant=0)(images)
        down, across = np.nonzero(found.max(axis=0))
        assert (down.min(), down.max(), across.min(), across.max()) == (2, 6, 2, 6)

    @pytest.mark.compiled
    def test_compiled_loops_give_the_same(self, digits: Any) -> None:
        images, _ = digits
        maps = np.random.default_rng(0).normal(0, 0.1, (len(images), 6)) + np.array([1, 0, 0, 0, 1, 0])
        assert (compiled(warped)(images, maps) == warped(images, maps)).all()
        assert (compiled(moments)(images) == moments(images)).all()


def test_generated_faces_have_all_factors() -> None:
    data = generated_faces(2, target="eyes")
    assert len(data) == 64
    assert data.grid == Grid(30, 32)
    assert data.frame.select("person", "pose", "mood", "eyes").n_unique() == 64
    buffer = io.BytesIO()
    Image.fromarray(data.grid.images(data.X)[0]).save(buffer, "png")
    assert buffer.tell() > 500
