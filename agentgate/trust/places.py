"""Where the policy and the ledger lie: the platform's own folders, found with platformdirs.

An environment variable can add a place to look for a policy, never take one away: whatever `XDG_CONFIG_HOME`,
`HOME` or `XDG_CONFIG_DIRS` say, the files of the account's own home and of `/etc/xdg` count as well.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType

__all__ = ["site_policies", "state_folder", "user_policies", "user_policy"]

APP = "agentgate"
POLICY = "policy.toml"


def state_folder() -> str:
    """The folder of the ledger and of what it refers to."""
    return str(_platformdirs().user_state_dir(APP, appauthor=False))


def user_policy() -> str:
    """The user's own policy file, as `agentgate policy set` writes it."""
    return os.path.join(str(_platformdirs().user_config_dir(APP, appauthor=False)), POLICY)


def user_policies() -> list[str]:
    """Every file that counts as the user's own policy."""
    own = user_policy()
    home = _home_of_the_account()
    if home is None or not _is_plain_unix() or not os.access(home, os.X_OK):
        return [own]
    return list(dict.fromkeys((own, os.path.join(home, ".config", APP, POLICY))))


def site_policies() -> list[str]:
    """Every file that counts as the policy of the machine."""
    joined = str(_platformdirs().site_config_dir(APP, appauthor=False, multipath=True))
    folders = joined.split(os.pathsep) if joined else []
    if _is_plain_unix():
        folders.append(os.path.join("/etc/xdg", APP))
    return [os.path.join(folder, POLICY) for folder in dict.fromkeys(folders) if folder]


def _home_of_the_account() -> str | None:
    """The home of the password database: no variable of a process changes it."""
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_dir or None
    except (ImportError, KeyError):
        return None


def _is_plain_unix() -> bool:
    return os.name == "posix" and sys.platform != "darwin"


def _platformdirs() -> ModuleType:
    """The library, also for a program in another environment whose prompts agentgate gates from outside."""
    try:
        import platformdirs
    except ModuleNotFoundError:
        from importlib import util
        from importlib.machinery import PathFinder

        beside = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        spec = PathFinder.find_spec("platformdirs", [beside])
        if spec is None or spec.loader is None:
            return _Xdg("platformdirs")
        platformdirs = util.module_from_spec(spec)
        sys.modules["platformdirs"] = platformdirs
        spec.loader.exec_module(platformdirs)
    return platformdirs


class _Xdg(ModuleType):
    """The same folders by the XDG Base Directory rules, for a checkout that is used without being installed."""

    def user_state_dir(self, app: str, **_how: object) -> str:
        return self._home("XDG_STATE_HOME", "~/.local/state", app)

    def user_config_dir(self, app: str, **_how: object) -> str:
        return self._home("XDG_CONFIG_HOME", "~/.config", app)

    def site_config_dir(self, app: str, **_how: object) -> str:
        given = os.environ.get("XDG_CONFIG_DIRS", "").strip() or "/etc/xdg"
        return os.pathsep.join(os.path.join(one, app) for one in given.split(os.pathsep) if one)

    def _home(self, variable: str, default: str, app: str) -> str:
        return os.path.join(os.environ.get(variable, "").strip() or os.path.expanduser(default), app)
