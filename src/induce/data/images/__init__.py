"""Images as tables: reading, transformations, distortions, generated digits and faces (AIMA 18.11.1)."""

from induce.data.images.distortions import Distortions
from induce.data.images.generated import generated_digits, generated_faces
from induce.data.images.grid import Grid
from induce.data.images.reading import as_dataset, read_images
from induce.data.images.transformations import (
    Centre,
    Coarsen,
    Crop,
    Deslant,
    Edges,
    Resize,
    Scale,
    Transformation,
)

__all__ = [
    "Centre",
    "Coarsen",
    "Crop",
    "Deslant",
    "Distortions",
    "Edges",
    "Grid",
    "Resize",
    "Scale",
    "Transformation",
    "as_dataset",
    "generated_digits",
    "generated_faces",
    "read_images",
]
