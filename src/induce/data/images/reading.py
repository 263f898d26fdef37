"""Reading images as tables: idx files, folders and archives."""

from __future__ import annotations

import re
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import polars as pl

from induce.core.errors import InputError
from induce.core.memory import require_memory
from induce.core.notes import note
from induce.data.dataset import Dataset
from induce.data.images.formats import ENDINGS, decoded_image, idx_images, idx_labels, is_idx
from induce.data.images.grid import Grid, Pixels
from induce.data.schema import Column, Schema

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
LARGEST_FILE = 2**28
"""Maximum number of bytes of an image file within an archive."""
BYTES_PER_COLUMN = 2_000
"""Bytes that a column takes in a frame and its schema, without its cells."""
LABEL = "label"


def read_images(
    source: str | Path,
    labels: str | Path | Sequence[Any] | None = None,
    *,
    target: str | None = None,
    files: str | Path | Sequence[str] | None = None,
    name: str | None = None,
) -> Dataset:
    """Read images as a table with one column per pixel, from 0 to 255.

    Pixels stay 8-bit numbers until a learner converts them. Their columns are named by position, ``r0c0``
    first, so that the schema determines the grid (see `Grid`). Colour and 16-bit images become 8-bit grey,
    with a note, and photographs are rotated upright according to their EXIF data.

    Parameters
    ----------
    source : str or Path
        Source: an idx file, compressed or not; a folder, searched recursively; a ``.zip`` or ``.tar``
        archive; or one image. Folders and archives may contain other files. Images are sorted by name.
    labels : str, Path or sequence, optional
        Labels: an idx file; a text file with one label, or a file name and its label, per line; ``"folder"`` for
        the folder of each image; a pattern for names without extension, such as ``"{person}_{pose}_4"``, which
        gives a nominal column for each part in braces; or the labels themselves.
    target : str, optional
        Label column to predict; by default the only one. Other label columns are not inputs.
    files : str, Path or sequence of str, optional
        Images to read, in this order: names, or a text file with one name per line, such as the list of a
        split. Leading folders that the source lacks are ignored.
    name : str, optional
        Name of the table; by default the name of the source.

    Examples
    --------
    >>> import tempfile
    >>> from PIL import Image
    >>> folder = Path(tempfile.mkdtemp())
    >>> for name in ("ann_left", "bob_up"):
    ...     Image.new("L", (3, 2), 7).save(folder / f"{name}.pgm")
    >>> read_images(folder, "{person}_{pose}", target="pose", name="faces")
    faces: 2 images of 2 x 3 pixels, target 'pose'
      r0c0 … r1c2: numeric
      person: nominal {ann, bob} (ignore)
      pose: nominal {left, up} (target)
    """
    path = Path(source)
    if not path.exists():
        raise InputError(f"there is no file or folder {str(source)!r}; give images")
    called = name if name is not None else _stem(path.name)
    if path.is_file() and is_idx(path):
        if files is not None:
            raise InputError("files names images, but those of an idx file have no names; leave files out")
        images, names = idx_images(path), None
    else:
        chosen = _listed(files)
        found = list(_chosen(_entries(path), chosen, path.name))
        images, names = _stacked(found, path.name), tuple(entry.name for entry in found)
    columns = _labels(labels, len(images), names, path.name)
    return as_dataset(images, columns, target, called)


def as_dataset(
    images: Pixels,
    labels: Mapping[str, Sequence[Any]] | None = None,
    target: str | None = None,
    name: str = "images",
) -> Dataset:
    """Return images and columns of labels as a table.

    Parameters
    ----------
    images : array of uint8, shape (images, rows, columns)
    labels : dict, optional
        Label columns by name.
    target : str, optional
        Column to predict; by default the only one.
    name : str
        Name of the table.
    """
    columns = labels or {}
    if target is not None and target not in columns:
        known = f"they are {', '.join(columns)}" if columns else "there are none; give labels"
        raise InputError(f"target is {target!r}, which is not a label column; {known}")
    if target is None and len(columns) == 1:
        target = next(iter(columns))
    require_memory(images.nbytes + BYTES_PER_COLUMN * images[0].size if len(images) else 0, name)
    grid = Grid(*images.shape[1:])
    domains = {key: _domain(values) for key, values in columns.items()}
    series = [
        pl.Series(key, list(map(str, columns[key])), dtype=pl.Enum(domain)) for key, domain in domains.items()
    ]
    told = (
        Column(key, "nominal", tuple(domain), role="target" if key == target else "ignore")
        for key, domain in domains.items()
    )
    schema = [*grid.schema(), *told]
    frame = grid.frame(images).with_columns(series)
    aside = tuple(key for key in columns if key != target)
    return Dataset(frame, target, Schema(tuple(schema)), name, f"images of {grid} pixels", aside)


def image_rows(source: str | Path, grid: Grid) -> tuple[Any, tuple[str, ...]]:
    """Return images of a given size as a frame for `predict`, with their names.

    An image of a different size raises an error that names it, because cropping or scaling is the user's
    choice.
    """
    data = read_images(source)
    found = Grid.of(data.X.columns)
    path = Path(source)
    if found != grid:
        raise InputError(
            f"{path.name} has images of {found} pixels, but the model was trained on {grid}; give images of that size"
        )
    if path.is_file() and is_idx(path):
        return data.X, tuple(f"{path.name}[{k}]" for k in range(len(data)))
    return data.X, tuple(entry.name for entry in _chosen(_entries(path), None, path.name))


def is_images(source: str | Path) -> bool:
    """Return whether a file, folder or archive holds images, by its extension and its first bytes."""
    path = Path(source)
    if path.is_dir():
        return next(_in_folder(path), None) is not None
    if not path.is_file():
        return False
    if path.suffix.lower() in ENDINGS or is_idx(path):
        return True
    return _is_archive(path) and any(_is_image(name) for name in _archived(path))


@dataclass(frozen=True)
class _Entry:
    """A file of a folder or archive: its path, and its bytes or their location."""

    name: str
    body: bytes | Path

    def read(self) -> bytes:
        return self.body.read_bytes() if isinstance(self.body, Path) else self.body


def _stem(name: str) -> str:
    for ending in (*ARCHIVES, ".gz"):
        if name.lower().endswith(ending):
            return name[: -len(ending)]
    return PurePosixPath(name).stem


def _is_image(name: str) -> bool:
    return PurePosixPath(name).suffix.lower() in ENDINGS and not PurePosixPath(name).name.startswith(".")


def _is_archive(path: Path) -> bool:
    return path.name.lower().endswith(ARCHIVES)


def _entries(path: Path) -> Iterator[_Entry]:
    """Yield the images of a source, sorted by name."""
    if path.is_dir():
        found = list(_in_folder(path))
    elif _is_archive(path):
        try:
            found = list(_in_archive(path))
        except (OSError, EOFError, tarfile.TarError, zipfile.BadZipFile) as problem:
            raise InputError(f"{path.name} is a damaged archive: {problem}; get the file again") from None
    else:
        yield _Entry(path.name, path)
        return
    if not found:
        endings = ", ".join((".pgm", ".png", ".jpg"))
        raise InputError(
            f"{path.name} has no images; give a folder or an archive with files such as {endings}"
        )
    yield from sorted(found, key=lambda entry: entry.name)


def _in_folder(path: Path) -> Iterator[_Entry]:
    for each in path.rglob("*"):
        if _is_image(each.name) and each.is_file():
            yield _Entry(each.relative_to(path).as_posix(), each)


def _archived(path: Path) -> list[str]:
    try:
        if path.suffix.lower() == ".zip":
            with zipfile.ZipFile(path) as archive:
                return archive.namelist()
        with tarfile.open(path) as tar:
            return tar.getnames()
    except (OSError, EOFError, tarfile.TarError, zipfile.BadZipFile):
        return []


def _in_archive(path: Path) -> Iterator[_Entry]:
    if path.suffix.lower() == ".zip":
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                if _is_image(info.filename):
                    _refuse_large(info.filename, info.file_size)
                    yield _Entry(info.filename, archive.read(info))
        return
    with tarfile.open(path) as tar:
        for member in tar:
            if member.isfile() and _is_image(member.name):
                _refuse_large(member.name, member.size)
                body = tar.extractfile(member)
                assert body is not None
                yield _Entry(member.name, body.read())


def _refuse_large(name: str, size: int) -> None:
    if size > LARGEST_FILE:
        raise InputError(f"{name} has {size:,} bytes, too many for an image; remove it from the archive")


def _listed(files: str | Path | Sequence[str] | None) -> list[str] | None:
    if files is None:
        return None
    if isinstance(files, str | Path):
        path = Path(files)
        if not path.is_file():
            raise InputError(f"there is no file {str(files)!r}; give a list of files, or their names")
        files = path.read_text(encoding="utf-8", errors="replace").splitlines()
    found = [line.strip() for line in files if line.strip()]
    if not found:
        raise InputError("files names no images; give at least one")
    return found


def _chosen(entries: Iterable[_Entry], names: list[str] | None, source: str) -> Iterator[_Entry]:
    """Yield all entries, or the listed entries in order.

    Names are matched by as many trailing folders as needed to distinguish them.
    """
    if names is None:
        yield from entries
        return
    known: dict[str, list[_Entry]] = {}
    for entry in entries:
        known.setdefault(PurePosixPath(entry.name).name, []).append(entry)
    for line in names:
        parts = PurePosixPath(line.replace("\\", "/")).parts
        fits = known.get(parts[-1], [])
        for depth in range(2, len(parts) + 1):
            if len(fits) <= 1:
                break
            fits = [entry for entry in fits if PurePosixPath(entry.name).parts[-depth:] == parts[-depth:]]
        if not fits:
            raise InputError(f"{source} has no image {line!r}, which files names; leave it out")
        yield fits[0]


def _stacked(entries: Sequence[_Entry], source: str) -> Pixels:
    """Stack all images into one array; raise an `InputError` that names two images of different sizes."""
    images: list[Pixels] = []
    changed = {"colour": 0, "16 bits": 0}
    for entry in entries:
        image, remark = decoded_image(entry.read(), entry.name)
        if images and image.shape != images[0].shape:
            sizes = [f"{height} x {width}" for height, width in (images[0].shape, image.shape)]
            raise InputError(
                f"{entries[0].name} has {sizes[0]} pixels, but {entry.name} has {sizes[1]}; give images of one size"
            )
        images.append(image)
        if remark:
            changed[remark] += 1
    for remark, n in changed.items():
        if n:
            many = f"{n:,} images of {source} have" if n > 1 else f"an image of {source} has"
            note(f"{many} {remark}; converted to 8-bit grey")
    return np.stack(images)


def _labels(given: Any, n: int, names: tuple[str, ...] | None, source: str) -> dict[str, Sequence[Any]]:
    if given is None:
        return {}
    if isinstance(given, str) and "{" in given:
        return _by_pattern(given, names, source)
    if isinstance(given, str) and given == "folder" and not Path(given).is_file():
        if names is None:
            raise InputError(
                "labels is 'folder', but the images of an idx file have no folders; give a file of labels"
            )
        parents = [PurePosixPath(name).parent.name or _stem(source) for name in names]
        return {LABEL: parents}
    if isinstance(given, str | Path):
        found, said = _from_file(Path(given), names), Path(given).name
    else:
        found, said = list(given), "labels"
    if len(found) != n:
        raise InputError(
            f"{source} has {n:,} images, but {said} has {len(found):,} labels; give one per image"
        )
    return {LABEL: found}


def _from_file(path: Path, names: tuple[str, ...] | None) -> list[str]:
    if not path.is_file():
        raise InputError(
            f"there is no file {str(path)!r} of labels; give a file, 'folder', or a pattern such as '{{pose}}_4'"
        )
    if is_idx(path):
        return [str(label) for label in idx_labels(path).tolist()]
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise InputError(
            f"{path.name} is neither an idx file nor a text file of labels; give one of them"
        ) from None
    cells = [re.split(r"[,;\t]\s*", line.strip(), maxsplit=1) for line in lines if line.strip()]
    if names is None or not cells or min(map(len, cells)) < 2:
        return [row[-1] for row in cells]
    by_name = {PurePosixPath(row[0]).name: row[1] for row in cells}
    lost = [name for name in names if PurePosixPath(name).name not in by_name]
    if lost:
        raise InputError(f"{path.name} has no label for {lost[0]}; give one label per image")
    return [by_name[PurePosixPath(name).name] for name in names]


def _by_pattern(pattern: str, names: tuple[str, ...] | None, source: str) -> dict[str, Sequence[Any]]:
    """Return one column per part in braces, from file names without their extension."""
    if names is None:
        raise InputError(
            f"labels is {pattern!r}, but the images of an idx file have no names; give a file of labels"
        )
    parts = re.findall(r"\{([^{}]+)\}", pattern)
    if not parts or len(set(parts)) < len(parts):
        raise InputError(f"labels is {pattern!r}; name each part once, as in '{{person}}_{{pose}}'")
    fixed = re.split(r"\{[^{}]+\}", pattern)
    expression = re.compile("(.+?)".join(map(re.escape, fixed)), re.DOTALL)
    stems = [PurePosixPath(name).stem for name in names]
    found = [expression.fullmatch(stem) for stem in stems]
    odd = [stem for stem, match in zip(stems, found, strict=True) if match is None]
    if odd:
        which = (
            "matches no name"
            if len(odd) == len(stems)
            else f"does not match {len(odd):,} of {len(stems):,} names"
        )
        raise InputError(
            f"the pattern {pattern!r} {which}, such as {odd[0]!r}; give one that matches all names"
        )
    return {part: [match[k + 1] for match in found if match is not None] for k, part in enumerate(parts)}


def _domain(values: Sequence[Any]) -> list[str]:
    """Return the distinct labels; integers in numeric order, others alphabetically."""
    text = {str(value) for value in values}
    return sorted(text, key=lambda each: (not each.isdigit(), int(each) if each.isdigit() else 0, each))
