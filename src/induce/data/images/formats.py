"""Image files: idx, and PGM, PNG, JPEG and other formats through Pillow."""

from __future__ import annotations

import gzip
import struct
import warnings
import zlib
from io import BytesIO
from math import prod
from pathlib import Path
from typing import IO, cast

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.data.images.grid import Pixels

ENDINGS = (".pgm", ".ppm", ".pbm", ".pnm", ".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp")
MOST_PIXELS = 2**26
"""Maximum number of pixels; a larger image is rejected before it is read."""
IDX_TYPES = {8: ">u1", 9: ">i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}
Bytes = NDArray[np.uint8]


def is_idx(path: Path) -> bool:
    """Return whether a file begins like an idx file, compressed or not.

    The name is unreliable: `train-images.gz` and `train-images-idx3-ubyte` are both common.
    """
    try:
        with _opened(path) as file:
            head = file.read(4)
    except (OSError, EOFError, zlib.error):
        return False
    return len(head) == 4 and head[:2] == b"\0\0" and head[2] in IDX_TYPES and 1 <= head[3] <= 4


def read_idx(path: Path) -> NDArray[np.generic]:
    """Return the array of an idx file; raise an `InputError` that names any defect."""
    try:
        with _opened(path) as file:
            head = file.read(4)
            if len(head) < 4 or head[:2] != b"\0\0" or head[2] not in IDX_TYPES:
                raise InputError(f"{path.name} is not an idx file; its first bytes are {head.hex(' ')}")
            sizes = file.read(4 * head[3])
            if len(sizes) < 4 * head[3]:
                raise InputError(f"{path.name} ends within its header; get the file again")
            shape = struct.unpack(f">{head[3]}I", sizes)
            dtype = np.dtype(IDX_TYPES[head[2]])
            if prod(shape[1:]) > MOST_PIXELS:
                raise InputError(
                    f"the header of {path.name} claims items of {prod(shape[1:]):,} numbers, more than "
                    f"the maximum of {MOST_PIXELS:,}; it is damaged, or not an image file"
                )
            expected = prod(shape) * dtype.itemsize
            # read no more than the header claims, and never allocate memory based on the claim alone
            body = file.read(expected + 1)
    except (OSError, EOFError, zlib.error) as problem:
        raise InputError(f"{path.name} cannot be read: {_first_line(problem)}; get the file again") from None
    if len(body) != expected:
        is_short = len(body) < expected
        what = "truncated" if is_short else "longer than its header says"
        has = f"{len(body):,}" if is_short else "more"
        raise InputError(
            f"{path.name} is {what}: {shape[0]:,} items of {prod(shape[1:]) * dtype.itemsize:,} bytes are "
            f"{expected:,} bytes, but it has {has}; get the file again"
        )
    return np.frombuffer(body, dtype).reshape(shape)


def idx_images(path: Path) -> Pixels:
    """Return the images of an idx file, which must have three axes and bytes."""
    found = read_idx(path)
    if found.ndim == 1:
        raise InputError(
            f"{path.name} contains {len(found):,} labels instead of images; give the image file first "
            "and the label file as labels"
        )
    if found.ndim != 3 or found.dtype != np.uint8:
        raise InputError(
            f"{path.name} contains an array of {found.ndim} axes and {found.dtype} numbers; give bytes "
            "with three axes (images, rows, columns)"
        )
    if not len(found) or not found[0].size:
        raise InputError(f"{path.name} contains no images; give a file with at least one")
    return found


def idx_labels(path: Path) -> NDArray[np.generic]:
    """Return the labels of an idx file, which must have one axis."""
    found = read_idx(path)
    if found.ndim != 1:
        raise InputError(
            f"{path.name} contains an array of {found.ndim} axes, which cannot be labels; give the label file as "
            "labels and the image file first"
        )
    return found


def _opened(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        zipped = file.read(2) == b"\x1f\x8b"
    return cast("IO[bytes]", gzip.open(path)) if zipped else path.open("rb")


def decoded_image(body: bytes, name: str) -> tuple[Bytes, str]:
    """Return the grey image of a file, upright, and a remark about any conversion."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow warns about sizes that are rejected below
            image = Image.open(BytesIO(body))
            if image.width * image.height > MOST_PIXELS:
                raise InputError(
                    f"the header of {name} claims {image.width:,} x {image.height:,} pixels, more than "
                    f"the maximum of {MOST_PIXELS:,}; make the image smaller"
                )
            image.load()
            upright = ImageOps.exif_transpose(image)
    except UnidentifiedImageError:
        raise InputError(f"{name} is not a readable image; give PGM, PNG or JPEG files") from None
    except Image.DecompressionBombError:
        raise InputError(
            f"the header of {name} claims more than the maximum of {MOST_PIXELS:,} pixels; make the "
            "image smaller"
        ) from None
    except (OSError, SyntaxError, ValueError, EOFError, struct.error) as problem:
        if isinstance(problem, InputError):
            raise
        raise InputError(f"{name} is damaged: {_first_line(problem)}; get the file again") from None
    if upright.mode.startswith(("I", "F")):
        wide = np.asarray(upright, np.float64)
        top = 65535.0 if wide.max(initial=0.0) > 255 else 255.0
        return np.clip(np.rint(wide * (255.0 / top)), 0, 255).astype(np.uint8), "16 bits"
    if upright.mode not in ("L", "1"):
        grey = upright.convert("RGBA" if "transparency" in upright.info else upright.mode)
        return np.asarray(grey.convert("L"), np.uint8), "" if _is_grey(upright) else "colour"
    return np.asarray(upright.convert("L"), np.uint8), ""


def _is_grey(image: object) -> bool:
    mode = getattr(image, "mode", "")
    if mode in ("LA", "P"):
        colours = np.asarray(image.convert("RGB"))  # type: ignore[attr-defined]
        return bool((np.ptp(colours, axis=2) == 0).all())
    return False


def _first_line(problem: Exception) -> str:
    said = str(problem).strip().splitlines()
    return said[0] if said else type(problem).__name__
