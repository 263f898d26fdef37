"""Parquet files in an object store, such as ``s3://bucket/folder/*.parquet``: their addresses, and clear errors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import polars as pl

from induce.core.errors import InputError
from induce.core.reports import shortened

StorageOptions = Mapping[str, Any] | None

SCHEMES = ("s3", "s3a", "gs", "gcs", "az", "azure", "abfs", "abfss", "adl", "http", "https", "hf")
_ADDRESS = re.compile(rf"({'|'.join(SCHEMES)})://", re.I)
_WITH_PASSWORD = re.compile(r"//[^/@]*@")
SOURCE = "induce source"
"""Name of the temporary column with the address of each row."""

_REASONS = (
    ("NoSuchBucket|ContainerNotFound|bucket does not exist", "the bucket does not exist; check the address"),
    (
        "InvalidAccessKeyId|SignatureDoesNotMatch|401 Unauthorized|403 Forbidden|AccessDenied|credential"
        "|169\\.254\\.169\\.254|metadata\\.google|Unauthenticated",
        "access was denied, or there are no credentials; give them in storage_options, or in the environment "
        "variables of the store",
    ),
    ("NoSuchKey|404 Not Found|not found", "there is no such object; check the address"),
    (
        "Connect|timed out|timeout|dns error|error sending request",
        "the server does not answer; check the address",
    ),
)


def is_address(source: Any) -> bool:
    """Return whether a source is an address in an object store or on the web.

    Examples
    --------
    >>> is_address("s3://shop/sales/*.parquet"), is_address("sales.parquet"), is_address("sqlite:///shop.db")
    (True, False, False)
    """
    return isinstance(source, str) and _ADDRESS.match(source) is not None


def objects(address: str, options: StorageOptions = None) -> list[str]:
    """Return the sorted addresses of the non-empty Parquet files in a folder or matching a pattern.

    The address of a single file is returned as it is.
    """
    last = address.rpartition("/")[2]
    if last.lower().endswith((".parquet", ".pq")) and not any(mark in address for mark in "*?["):
        return [address]
    if last == "" or not set(last) & set(".*"):
        address = f"{address.rstrip('/')}/*.parquet"
    elif not last.lower().endswith((".parquet", ".pq", "*")):
        raise InputError(
            f"{shown(address)} is not Parquet, and other files are not read from a store; copy it to this machine"
        )
    try:
        found = pl.scan_parquet(
            address,
            include_file_paths=SOURCE,
            storage_options=plain(options),
            missing_columns="insert",
            extra_columns="ignore",
        )
        names = found.select(pl.col(SOURCE).unique(maintain_order=True)).collect()[SOURCE].to_list()
    except pl.exceptions.PolarsError as error:
        if "expanded paths were empty" not in str(error):
            raise reading_error(address, error) from None
        names = []
    except (OSError, ValueError, TypeError) as error:
        raise reading_error(address, error) from None
    if not names:
        raise InputError(f"no Parquet file with rows matches {shown(address)}; check the address")
    return sorted(names)


def plain(options: StorageOptions) -> dict[str, Any] | None:
    """Return options as polars takes them."""
    return None if options is None else dict(options)


def reading_error(address: str, error: Exception) -> InputError:
    """Return the error for an object that cannot be read: one sentence that names its address."""
    text = str(error)
    if isinstance(error, ValueError | TypeError):
        return InputError(f"storage_options are not understood ({shortened(text, 160)}); see those of polars")
    for pattern, reason in _REASONS:
        if re.search(pattern, text):
            return InputError(f"{shown(address)} cannot be read: {reason}")
    line = shortened(_WITH_PASSWORD.sub("//", text.splitlines()[0] if text else type(error).__name__), 160)
    return InputError(f"{shown(address)} cannot be read ({line}); check the address")


def shown(address: str) -> str:
    """Return an address for a message, without a password in it."""
    return repr(_WITH_PASSWORD.sub("//", address))
