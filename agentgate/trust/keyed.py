"""Digests of what may not be written down: made with a key that lies beside the ledger and nowhere else."""

from __future__ import annotations

import hmac
import os
import secrets

from . import files, places
from .database import Unavailable

__all__ = ["digest"]

_SIZE = 32


def digest(text: str) -> str:
    """The keyed digest of a text: whoever has only the ledger cannot try out what it was. Raises Unavailable."""
    return hmac.new(_key(), text.encode("utf-8", "surrogatepass"), "sha256").hexdigest()


def _key() -> bytes:
    try:
        path = os.path.join(files.own_folder(places.state_folder()), "key")
        if not os.path.lexists(path):
            _create(path)
        files.check(path)
        with open(path, "rb") as file:
            key = file.read()
    except (OSError, files.Unsafe) as error:
        raise Unavailable(f"the key beside the ledger cannot be used: {error}") from None
    if len(key) != _SIZE:
        raise Unavailable(f"the key beside the ledger is damaged: {path}")
    return key


def _create(path: str) -> None:
    """Linked into place whole: of two processes that make one, both use the first."""
    fresh = f"{path}.{secrets.token_hex(4)}"
    files.write_new(fresh, secrets.token_bytes(_SIZE))
    try:
        os.link(fresh, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(fresh)
