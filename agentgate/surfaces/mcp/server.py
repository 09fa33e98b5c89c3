"""The MCP server: lists the tools, runs a call in a child process, and asks the client's person where it stops."""

from __future__ import annotations

import errno
import json
import os
import secrets
import signal
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, NamedTuple

import anyio
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.types.version import MODERN_PROTOCOL_VERSIONS, is_version_at_least
from pydantic import ValidationError

from ...runtime import answers, commandline, envelope, mode
from ..tree import Program
from . import arguments, child
from .form import Form, form_of
from .tools import Tool, tools_of

__all__ = ["serve_stdio"]

MOST_FORMS = 8  # that one call shows to a person
MOST_WAITING = 100  # calls that wait for a person's reply
LONGEST = 600  # characters of a refusal
REPLY = "reply"
START = '{"schema": "agentgate/v1"'
KNOWS_LISTS = "2025-11-25"  # the first protocol whose forms may hold a choice of several

Context = ServerRequestContext[Any, Any]


def serve_stdio(program: Program, start: list[str]) -> int:
    """Serve on stdin and stdout until the client goes away."""
    calls = _Calls(program, start)
    server: Server[Any] = Server(
        program.name,
        version=program.version or "",
        instructions=program.root.description or None,
        on_list_tools=calls.list_tools,
        on_call_tool=calls.call_tool,
    )
    anyio.run(_serve, server)
    return 0


async def _serve(server: Server[Any]) -> None:
    ended_by: signal.Signals | None = None

    async def watch(scope: anyio.CancelScope) -> None:
        nonlocal ended_by
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as received:
            async for number in received:
                ended_by = number
                scope.cancel()

    async with stdio_server() as (reading, writing):
        async with anyio.create_task_group() as group:
            if os.name != "nt":  # where a process is ended without being told
                group.start_soon(watch, group.cancel_scope)
            await server.run(reading, writing, server.create_initialization_options())
            group.cancel_scope.cancel()
        if ended_by is not None:
            # the thread that reads stdin cannot be interrupted, and would keep the process alive
            signal.signal(ended_by, signal.SIG_DFL)
            os.kill(os.getpid(), ended_by)


class _Waiting(NamedTuple):
    """A call that the client will come back to with a person's reply.

    ended: how its run stopped. asked: what the person was asked so far, form by form.
    """

    called: tuple[str, dict[str, Any]]
    ended: child.Ended
    form: Form
    asked: tuple[frozenset[str], ...]


class _Calls:
    """The server's handlers, and the calls that wait for the client to come back."""

    def __init__(self, program: Program, start: list[str]) -> None:
        self._program = program
        self._start = start
        self._tools = tools_of(program)
        self._environment = _environment()
        self._waiting: OrderedDict[str, _Waiting] = OrderedDict()

    async def list_tools(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[one.listed for one in self._tools.values()])

    async def call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        called = params.name, params.arguments or {}
        tool = self._tools.get(params.name)
        if tool is None:
            raise MCPError(code=types.INVALID_PARAMS, message=f"{self._program.name} has no tool {params.name!r}")
        argv: list[str] | None
        asked: tuple[frozenset[str], ...] = ()
        try:
            if params.request_state is None:
                argv = [*self._start, *arguments.command_line(tool.levels, called[1])]
            else:
                waiting = self._waiting.pop(params.request_state, None)
                if waiting is None or waiting.called != called:
                    raise MCPError(code=types.INVALID_PARAMS, message="requestState belongs to no call that waits")
                ended, asked = waiting.ended, waiting.asked
                argv = waiting.form.next_argv(_content((params.input_responses or {}).get(REPLY)))
            while argv is not None:
                ended = await self._run(tool, argv, context)
                form = _form(ended, asked, context)
                if form is None:
                    break
                asked = (*asked, form.about)
                if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
                    return self._come_back(_Waiting(called, ended, form, asked))
                argv = form.next_argv(await _reply(form, context))
        except arguments.Refused as refused:
            return self._failed(tool, "usage", str(refused))
        except OSError as error:  # the system would not start it
            return self._failed(tool, "usage" if error.errno == errno.E2BIG else "failed", str(error.strerror))
        if ended.code and not ended.out.strip():
            return self._failed(tool, "failed", f"The program ended with exit code {ended.code} and told nothing.")
        return _result(_document(ended.out), is_error=ended.code != 0)

    async def _run(self, tool: Tool, argv: list[str], context: Context) -> child.Ended:
        lines = 0

        async def tell(line: bytes) -> None:
            nonlocal lines
            lines += 1
            await context.session.report_progress(lines, message=_said(line))

        is_live = tool.levels[-1].effects.live
        return await child.run(argv, self._environment, tell if is_live else None)

    def _come_back(self, waiting: _Waiting) -> types.InputRequiredResult:
        """Let the client ask its person and call again: this protocol has no requests from the server."""
        state = secrets.token_urlsafe()
        self._waiting[state] = waiting
        while len(self._waiting) > MOST_WAITING:
            self._waiting.popitem(last=False)
        form = types.ElicitRequestFormParams(message=waiting.form.message, requested_schema=waiting.form.schema)
        return types.InputRequiredResult(input_requests={REPLY: types.ElicitRequest(params=form)}, request_state=state)

    def _failed(self, tool: Tool, code: str, message: str) -> types.CallToolResult:
        message = message if len(message) <= LONGEST else message[:LONGEST] + " …"  # it may hold whatever was given
        document = envelope.build("failed", exit_code=2 if code == "usage" else 1, code=code, message=message)
        document["command"] = commandline.join([*self._start, *tool.levels[-1].path])
        return _result(envelope.dumps(document), is_error=True)


def _environment() -> dict[str, str]:
    """Ours, in which an agent runs the program for certain, without what was handed to this process alone."""
    handed = (answers.ANSWERS, answers.TOKENS, answers.PRIVATE_FD)
    inherited = {name: value for name, value in os.environ.items() if name not in handed}
    return inherited | {name: "yes" for name in (mode.VARIABLE, mode.program_variable()) if name}


def _form(ended: child.Ended, asked: tuple[frozenset[str], ...], context: Context) -> Form | None:
    """The form for how a run stopped, if this client can show one and its person was not asked that before."""
    declared = context.session.client_capabilities
    can = declared.elicitation if declared else None
    # a client of before there were two kinds declares none, and means forms
    if can is None or (can.form is None and can.url is not None) or len(asked) >= MOST_FORMS:
        return None
    form = form_of(_document(ended.out), several=is_version_at_least(context.protocol_version, KNOWS_LISTS))
    return None if form is None or any(form.about & about for about in asked) else form


async def _reply(form: Form, context: Context) -> Mapping[str, Any] | None:
    try:
        return _content(await context.session.elicit_form(form.message, form.schema, context.request_id))
    except (MCPError, ValidationError):  # it cannot show it after all
        return None


def _content(reply: object) -> Mapping[str, Any] | None:
    """What the person filled in; None when they declined, or looked away."""
    return reply.content if isinstance(reply, types.ElicitResult) and reply.action == "accept" else None


def _document(out: bytes) -> str:
    """The one document that a run ends with; all that it wrote, when it is no program that gives one."""
    text = out.decode("utf-8", "replace").strip("\n")
    last = text.rpartition("\n")[2]
    return last if last.startswith(START) else text


def _said(line: bytes) -> str:
    """What a line of a stream says to a person."""
    text = line.decode("utf-8", "replace")
    try:
        record = json.loads(text)
        told = [record.get("name"), record.get("status"), record.get("message")]
    except (AttributeError, RecursionError, ValueError):  # no record
        return text
    return ": ".join(str(one) for one in told if one is not None) or text


def _result(text: str, *, is_error: bool) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=is_error)
