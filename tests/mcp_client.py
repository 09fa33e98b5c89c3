"""The official MCP client, driving a program under test that serves itself over stdio."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from programs import environment

ERAS = ("legacy", "2026-07-28")  # the server sends requests of its own; a call comes back with the reply


class Person:
    """Answers the forms that a client shows it, one reply after the other; a person who is asked more says no."""

    def __init__(self, *replies: dict[str, Any] | str) -> None:
        self._replies = list(replies)
        self.forms: list[types.ElicitRequestFormParams] = []

    async def __call__(self, _: Any, form: Any) -> types.ElicitResult:
        self.forms.append(form)
        reply = self._replies.pop(0) if self._replies else "decline"
        if isinstance(reply, str):
            return types.ElicitResult(action=reply)
        return types.ElicitResult(action="accept", content=reply)


def drive(
    argv: list[str],
    talk: Callable[[Any], Awaitable[Any]],
    *,
    folder: Path,
    person: Person | None = None,
    era: str = "legacy",
    env: dict[str, str] | None = None,
) -> Any:
    """Start a server, let `talk` use a client of it, and return what that returned. person: None has no forms."""

    surroundings = environment(agent=False, **(env or {}))
    server = StdioServerParameters(command=argv[0], args=[*argv[1:], "--mcp"], cwd=folder, env=surroundings)

    async def main() -> Any:
        with anyio.fail_after(60), open(folder.parent / f"{folder.name}.stderr", "w") as errlog:
            async with Client(stdio_client(server, errlog), mode=era, elicitation_callback=person) as client:
                return await talk(client)

    return anyio.run(main)


def text_of(result: types.CallToolResult) -> str:
    """The text of a result, which is all that it has."""
    (content,) = result.content
    assert result.structured_content is None
    return str(content.text)
