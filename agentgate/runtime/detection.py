"""Which agent, if any, runs this process: `@vercel/detect-agent` 1.2.5, then a list of our own.

Source of the first list: the npm package `@vercel/detect-agent` 1.2.5, in its order, with JavaScript's
idea of white space and of truth (any non-empty string counts, `"0"` too). The own list comes after it,
for agents that 1.2.5 does not know: it can turn nobody into an agent, never change a name.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Agent", "detect_agent", "nobody_signals"]

VERCEL = "detect-agent-1.2.5"
OWN = "agentgate"
DEVIN = "/opt/.devin"

# String.prototype.trim: what ECMAScript calls white space and line terminators
_JS_SPACE = (
    "\t\n\x0b\x0c\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)

_VERCEL = (
    ("CURSOR_AGENT", "cursor-cli"),
    ("GEMINI_CLI", "gemini"),
    ("CODEX_SANDBOX", "codex"),
    ("CODEX_CI", "codex"),
    ("CODEX_THREAD_ID", "codex"),
    ("ANTIGRAVITY_AGENT", "antigravity"),
    ("AUGMENT_AGENT", "augment-cli"),
    ("OPENCODE_CLIENT", "opencode"),
    ("CLAUDECODE", "claude"),
    ("CLAUDE_CODE", "claude"),
    ("REPL_ID", "replit"),
    ("COPILOT_MODEL", "github-copilot"),
    ("COPILOT_ALLOW_ALL", "github-copilot"),
    ("COPILOT_GITHUB_TOKEN", "github-copilot"),
)
_OWN = (
    ("OPENCODE", "opencode"),
    ("AMP_CURRENT_THREAD_ID", "amp"),
    ("COPILOT_CLI", "github-copilot"),
    ("COPILOT_AGENT", "github-copilot"),
    ("GOOSE_TERMINAL", "goose"),
    ("PI_CODING_AGENT", "pi"),
    ("CLINE_ACTIVE", "cline"),
    ("CLINE_TASK_ID", "cline"),
    ("ROO_CODE_TASK_ID", "roo-code"),
    ("CRUSH", "crush"),
    ("QWEN_CODE", "qwen-code"),
    ("TRAE_AI_SHELL_ID", "trae"),
    ("OPENCLAW_SHELL", "openclaw"),
    ("GROK_SESSION_ID", "grok"),
    ("CLAUDE_CODE_CHILD_SESSION", "claude"),
    ("KIRO_AGENT_PATH", "kiro"),
)
# `AGENT` is too common a name to mean anything by itself: only these values count
_AGENT_VALUES = (
    "aider amp claude claude-code cline codex crush cursor droid gemini goose kiro opencode openclaw pi qwen qwen-code "
    "roo-code trae"
)
_FAMILIES = (
    ("github-copilot", "copilot"),
    ("claude", "claude-code", "cowork"),
    *((name,) for name in ("cursor", "gemini", "codex", "antigravity", "augment", "opencode", "replit", "devin")),
    *((name,) for name in ("amp", "goose", "cline", "roo-code", "crush", "qwen", "trae", "openclaw", "grok")),
    *((name,) for name in ("kiro", "aider", "droid", "pi")),
)

SIGNALS = frozenset(
    (
        "AI_AGENT",
        "CURSOR_TRACE_ID",
        "CURSOR_EXTENSION_HOST_ROLE",
        "AGENT",
        *(name for name, _ in _VERCEL),
        *(name for name, _ in _OWN),
    )
)


class Agent:
    """An agent that was detected.

    name: as the rule set names it. family: the product behind the name (`claude` for
    `claude-code_2-1-263_agent`). signal: the variable or path that told. source: the rule set,
    `detect-agent-1.2.5` or `agentgate`.
    """

    __slots__ = ("family", "name", "signal", "source")

    def __init__(self, name: str, family: str, signal: str, source: str) -> None:
        self.name, self.family, self.signal, self.source = name, family, signal, source

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Agent) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return f"Agent(name={self.name!r}, family={self.family!r}, signal={self.signal!r}, source={self.source!r})"


def detect_agent(
    environ: Mapping[str, str] | None = None,
    *,
    stdout_is_tty: bool | None = None,
    path_exists: Callable[[str], bool] | None = None,
) -> Agent | None:
    """The agent that runs this process, or None.

    environ: the environment to look at (the process's own when None; no other is read then).
    stdout_is_tty: whether stdout is a terminal, where `CURSOR_TRACE_ID` does not count (a person's
    terminal inside the editor has it too); found out when None and needed.
    path_exists: how to look for a path (`/opt/.devin`).
    """
    if environ is None:
        environ = os.environ
        if nobody_signals():
            return _devin(path_exists)
    return _vercel(environ, stdout_is_tty) or _devin(path_exists) or _own(environ)


def nobody_signals(extra: str | None = None) -> bool:
    """Whether the process's environment holds none of the variables that any rule looks at.

    One pass over the keys as the system stores them: reading thirty variables through `os.environ`
    costs ten times as much, and every person's run pays for it.
    extra: one more variable that must be absent.
    """
    stored = getattr(os.environ, "_data", os.environ)
    if extra is not None and extra in os.environ:
        return False
    return (_STORED_SIGNALS if stored is not os.environ else SIGNALS).isdisjoint(stored)


_STORED_SIGNALS = frozenset(getattr(os.environ, "encodekey", str)(name) for name in SIGNALS)


def _vercel(environ: Mapping[str, str], stdout_is_tty: bool | None) -> Agent | None:
    announced = environ.get("AI_AGENT", "").strip(_JS_SPACE)
    if announced:
        return _agent("github-copilot" if announced == "github-copilot-cli" else announced, "AI_AGENT")
    if environ.get("CURSOR_TRACE_ID") and not (_stdout_is_tty() if stdout_is_tty is None else stdout_is_tty):
        return _agent("cursor", "CURSOR_TRACE_ID")
    if environ.get("CURSOR_EXTENSION_HOST_ROLE") == "agent-exec" and not environ.get("CURSOR_AGENT"):
        return _agent("cursor-cli", "CURSOR_EXTENSION_HOST_ROLE")
    for signal, name in _VERCEL:
        if environ.get(signal):
            cowork = name == "claude" and environ.get("CLAUDE_CODE_IS_COWORK")
            return _agent("cowork" if cowork else name, signal)
    return None


def _devin(path_exists: Callable[[str], bool] | None) -> Agent | None:
    there = path_exists(DEVIN) if path_exists else os.access(DEVIN, os.F_OK)
    return _agent("devin", DEVIN) if there else None


def _own(environ: Mapping[str, str]) -> Agent | None:
    named = environ.get("AGENT", "").strip().lower()
    if named in _AGENT_VALUES.split():
        return _agent(named, "AGENT", OWN)
    for signal, name in _OWN:
        if environ.get(signal):
            return _agent(name, signal, OWN)
    return None


def _agent(name: str, signal: str, source: str = VERCEL) -> Agent:
    return Agent(name, family_of(name), signal, source)


def family_of(name: str) -> str:
    """The product behind a name: real agents announce `claude-code_2-1-263_agent` and the like."""
    plain = name.strip().lower().replace("_", "-").replace(" ", "-").replace("/", "-")
    for family, *others in _FAMILIES:
        for prefix in (family, *others):
            if plain == prefix or plain.startswith((prefix + "-", prefix + "@", prefix + ":")):
                return family
    return plain


def _stdout_is_tty() -> bool:
    try:
        return bool(sys.stdout.isatty())
    except (AttributeError, ValueError):  # no stdout, or a closed one
        return False
