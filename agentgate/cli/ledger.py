"""`agentgate ledger list|show|verify|export`: what was asked, agreed to, refused and used."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from ..runtime import stop
from ..surfaces.effects import effects
from . import output

if TYPE_CHECKING:
    from ..trust.ledger import Row

__all__ = ["SUMMARY", "add_arguments", "run"]

SUMMARY = "read and verify the record of all consents"

_LAST = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    verbs = parser.add_subparsers(dest="verb", metavar="list|show|verify|export", required=True)
    listed = verbs.add_parser("list", help="list the last rows")
    listed.add_argument("--last", type=_number, default=_LAST, metavar="N", help=f"how many (default: {_LAST})")
    listed.add_argument(
        "--event", metavar="EVENT", help="only these: asked, approved, denied, used, refused, expired, …"
    )
    one = verbs.add_parser("show", help="show one row, with its plan")
    one.add_argument("number", type=_number, metavar="NUMBER", help="the row's number")
    verify = verbs.add_parser("verify", help="exit with 1 if anything was edited, removed or put in another order")
    export = verbs.add_parser("export", help="print all rows, one JSON object a line")
    for each in (listed, one, verify, export):
        output.add_format_arguments(each)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 0 < int(text) < 1 << 53:
        raise argparse.ArgumentTypeError(f"{text!r} is not a row's number")
    return int(text)


@effects("read_only")
def run(arguments: argparse.Namespace) -> int:
    """Do what the verb says. Exit code 0; 1 when verify finds something; 2 when there is no such row."""
    from ..trust import ledger

    verbs = {"list": _list, "show": _show, "verify": _verify, "export": _export}
    try:
        return verbs[arguments.verb](arguments)
    except ledger.LedgerError as error:
        stop.usage_error(f"ledger: {error}")


def _rows(condition: str = "1", values: tuple[object, ...] = ()) -> list[Row]:
    from ..trust import ledger

    if not ledger.exists():
        return []
    with ledger.writing() as transaction:
        return list(transaction.rows(condition, values))


def _list(arguments: argparse.Namespace) -> int:
    from ..trust import ledger, render

    if arguments.event is not None and arguments.event not in ledger.EVENTS:
        stop.usage_error(f"ledger list: there is no event {arguments.event!r}, only {', '.join(ledger.EVENTS)}")
    chosen = ("1", ()) if arguments.event is None else ("event = ?", (arguments.event,))
    rows = _rows(*chosen)[-arguments.last :]
    if output.wants_json(arguments):
        return output.print_outcome({"rows": [_data(row) for row in rows]})
    for row in rows:
        output.print_text(render.row_in_one_line(row))
    if not rows:
        output.print_text("The ledger is empty.")
    return 0


def _show(arguments: argparse.Namespace) -> int:
    from ..trust import plans, render

    rows = _rows("seq = ?", (arguments.number,))
    if not rows:
        stop.usage_error(f"ledger show: there is no row {arguments.number}")
    data = _data(rows[0])
    try:
        if rows[0].body.get("plan_shown"):
            data["plan_text"] = plans.load(rows[0].body["plan_shown"])
    except plans.Changed as error:
        stop.usage_error(f"ledger show: {error}")
    if output.wants_json(arguments):
        return output.print_outcome(data)
    from ..runtime.visible import visible

    for name, value in data.items():
        if name != "plan_text":
            output.print_text(f"{name:>10}  {visible(value if isinstance(value, str) else json.dumps(value))}")
    for line in render.plan_of(rows[0]):
        output.print_text(f"{'':>10}| {visible(line)}")
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    from ..trust.verify import verify

    report = verify()
    found = f"The ledger is not what was written: {report.problems[0]}." if report.problems else None
    data: dict[str, Any] = {"rows": report.rows, "problems": list(report.problems)}
    if output.wants_json(arguments):
        return output.print_outcome(data, found=found)
    from ..runtime.visible import visible

    for problem in report.problems:
        output.print_text(visible(problem))
    count = "1 row" if report.rows == 1 else f"{report.rows} rows"
    output.print_text("The ledger was changed." if found else f"{count}, all as written.")
    return 1 if found else 0


def _export(arguments: argparse.Namespace) -> int:
    rows = [_data(row) for row in _rows()]
    if output.wants_json(arguments):
        return output.print_outcome({"rows": rows})
    for row in rows:
        output.print_text(json.dumps(row, ensure_ascii=True))
    return 0


def _data(row: Row) -> dict[str, Any]:
    table = {"seq": row.seq, "event": row.event, "ref": row.ref, "subject": row.subject, "key": row.key}
    return {**{key: value for key, value in table.items() if value not in (None, "")}, **row.body, "hash": row.hash}
