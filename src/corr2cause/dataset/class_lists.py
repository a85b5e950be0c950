"""All classes of a size, wherever they come from: enumerated here, or found by many workers and kept in a folder."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from corr2cause.dataset.discovering import CHECK, checksum, list_classes
from corr2cause.errors import FileError
from corr2cause.execution import Progress, Workers, ignore
from corr2cause.files import plain_errors, whole_file
from corr2cause.graphs.equivalence import LABELLED_CLASSES, Classes, equivalence_classes, labelled_class_count
from corr2cause.graphs.terms import MAX_COUNTED

CLASSES_OF_EIGHT = 5_903_878
"""What `corr2cause count --n 8` finds, with the proof that none is missing; nobody has published it."""

_FILE = "classes.arrow"

_discovered: dict[int, Classes] = {}


def class_count(n: int) -> int:
    """Return the number of classes on n nodes, up to renaming."""
    return CLASSES_OF_EIGHT if n == MAX_COUNTED else len(equivalence_classes(n))


def classes_of(n: int) -> Classes:
    """Return every class on n nodes: enumerated here for up to seven, else what `discover` has found in this process.

    Raises:
        SizeError: n is not in 1..7, and `discover` has not found its classes.
    """
    return _discovered.get(n) or equivalence_classes(n)


def discover(n: int, folder: Path, workers: Workers = 1, progress: Progress = ignore) -> Classes:
    """Find the classes on up to eight nodes, and let `classes_of` know.

    The arguments are those of `discovering.take_census`. The folder keeps what was found (140 MB for n = 8), for the
    next time.

    Raises:
        FileError: also if the classes do not add up to all labelled ones.
    """
    kept = folder / _FILE
    if kept.exists():
        found = _read(kept)
    else:
        found = list_classes(n, folder, workers, progress)
        write_classes(kept, found)
    if labelled_class_count(found) != LABELLED_CLASSES[n - 1]:
        problem = f"this does not hold all classes of {n} variables; empty it, or name another folder"
        raise FileError(str(folder), problem)
    _discovered[n] = found
    return found


def write_classes(path: Path, classes: Classes) -> None:
    """Write classes as an Arrow file, whole or not at all."""
    numbers = {"n": classes.n, "n_dags": classes.n_dags, "n_edges": classes.n_edges}
    check = {CHECK: checksum([classes.representatives, classes.automorphisms])}
    table = pa.table(
        {
            "representative": pa.FixedSizeListArray.from_arrays(classes.representatives.ravel(), classes.n),
            "automorphisms": classes.automorphisms,
        }
    ).replace_schema_metadata({name: str(value) for name, value in numbers.items()} | check)
    with whole_file(path) as out, pa.ipc.new_file(out, table.schema) as writer:
        writer.write_table(table)


def _read(path: Path) -> Classes:
    try:
        with plain_errors(path), path.open("rb") as file:
            table = pa.ipc.open_file(file).read_all().combine_chunks()
        metadata = dict(table.schema.metadata)
        check = metadata.pop(CHECK)
        numbers = {name.decode(): int(value) for name, value in metadata.items()}
        graphs = table["representative"].chunk(0).flatten().to_numpy().reshape(-1, numbers["n"])
        automorphisms = table["automorphisms"].to_numpy()
        if check != checksum([graphs, automorphisms]):
            raise ValueError("the checksum is another")
        return Classes(representatives=graphs, automorphisms=automorphisms, **numbers)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise FileError(str(path), "this is damaged; remove it, and it is made again") from error
