"""A program that is only looked at changes nothing: no file outside a throw-away folder, no network, no child."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

__all__ = ["confine", "environment"]

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_FOLDERS = ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TMPDIR", "TMP", "TEMP")

# audit events, and which of their arguments are paths that are changed
_PATHS = {
    "os.chmod": (0,),
    "os.chown": (0,),
    "os.link": (0, 1),
    "os.mkdir": (0,),
    "os.remove": (0,),
    "os.removexattr": (0,),
    "os.rename": (0, 1),
    "os.rmdir": (0,),
    "os.setxattr": (0,),
    "os.symlink": (1,),
    "os.truncate": (0,),
    "os.utime": (0,),
    "sqlite3.connect": (0,),
}
_NETWORK = {
    "os.exec",
    "os.startfile",
    "socket.bind",
    "socket.connect",
    "socket.getaddrinfo",
    "socket.gethostbyaddr",
    "socket.gethostbyname",
    "socket.sendmsg",
    "socket.sendto",
    "webbrowser.open",
}
_PROCESSES = {
    "os.fork",
    "os.forkpty",
    "os.kill",
    "os.killpg",
    "os.posix_spawn",
    "os.spawn",
    "os.system",
    "pty.spawn",
    "subprocess.Popen",
}


def environment(folder: str) -> dict[str, str]:
    """The environment of a program whose home is a throw-away folder, and that no agent seems to run."""
    import site

    from ..runtime.detection import SIGNALS

    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in SIGNALS and not name.startswith(("AGENTGATE_", "XDG_"))
    }
    packages = {"PYTHONUSERBASE": site.getuserbase(), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
    shown = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "AGENTGATE_AGENT": "no", "AGENTGATE_CACHE_DIR": folder}
    return {**kept, **packages, **shown, **dict.fromkeys(_FOLDERS, folder)}


def confine(folder: str) -> Callable[[], None]:
    """From here on this process gets PermissionError for whatever would reach beyond itself and `folder`.

    Returns what forbids child processes as well: some modules ask one for a version when they are imported.
    """
    inside = os.path.realpath(folder) + os.sep
    forbidden = set(_NETWORK)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = arguments
            writes = bool(set(mode or "") & set("wax+")) or (isinstance(flags, int) and bool(flags & _WRITING))
            if writes and not _is_allowed(path, inside):
                _refuse(path)
        elif event in _PATHS:
            for at in _PATHS[event]:
                if not _is_allowed(arguments[at], inside):
                    _refuse(arguments[at])
        elif event in forbidden:
            _refuse(event)

    sys.addaudithook(hook)
    return lambda: forbidden.update(_PROCESSES)


def _is_allowed(path: Any, inside: str) -> bool:
    if isinstance(path, int):  # opened before
        return True
    name = os.fsdecode(path) if isinstance(path, (str, bytes, os.PathLike)) else ""
    return name in (os.devnull, ":memory:") or os.path.realpath(name).startswith(inside)


def _refuse(what: Any) -> NoReturn:
    raise PermissionError(errno.EACCES, "this program is only looked at, it may change nothing", str(what))
