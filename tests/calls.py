"""How each prompt of the catalog is called: one line an entry, so that every one of them is run.

`{ask}` stands for the entry's gated name. A test fails for an entry that has no line here.
"""

from __future__ import annotations

from typing import NamedTuple


class Call(NamedTuple):
    """How to make a prompt wait.

    code: the statements. outcome: the error code of the envelope, or None for a prompt that goes on.
    """

    code: str
    outcome: str | None
    setup: str = ""


_OPTION = """
@click.command()
@{ask}(%s)
def main(**kw): print("went on")
main()
"""
_TYPER = """
def main(name: str = {ask}(..., prompt=True)): print("went on")
typer.run(main)
"""
_FORM = "{ask}(a=agentgate.gate(questionary.text)('First'), b=agentgate.gate(questionary.text)('Second')).ask()"
_FILE = "open('draft', 'w').close(); "

CALLS: dict[str, Call] = {
    "builtins.input": Call("{ask}('Project name: ')", "missing_input"),
    "builtins.raw_input": Call("", None),  # Python 2's; there is none to run
    "builtins.breakpoint": Call("{ask}()", "debugger"),
    "code.interact": Call("{ask}()", "debugger"),
    "getpass.getpass": Call("{ask}('API key: ')", "auth_required"),
    "pdb.set_trace": Call("{ask}()", "debugger"),
    "pdb.post_mortem": Call("{ask}(None)", "debugger"),
    "pdb.pm": Call("{ask}()", "debugger"),
    "pdb.run": Call("{ask}('1')", "debugger"),
    "pdb.runcall": Call("{ask}(print)", "debugger"),
    "pdb.runeval": Call("{ask}('1')", "debugger"),
    "six.moves.input": Call("{ask}('Project name: ')", "missing_input"),
    "click.prompt": Call("{ask}('Port', type=int)", "missing_input"),
    "click.confirm": Call("{ask}('Delete it?', default=True)", "consent_required"),
    "click.pause": Call("{ask}()", None),
    "click.getchar": Call("{ask}()", "missing_input"),
    "click.edit": Call("{ask}('text')", "missing_input"),
    "click.echo_via_pager": Call("{ask}('a long text')", None),
    "click.option": Call(_OPTION % "'--name', prompt=True", "missing_input"),
    "click.password_option": Call(_OPTION % "", "auth_required"),
    "click.confirmation_option": Call(_OPTION % "", "consent_required"),
    "typer.prompt": Call("{ask}('Port', type=int)", "missing_input"),
    "typer.confirm": Call("{ask}('Delete it?', default=True)", "consent_required"),
    "typer.Option": Call(_TYPER, "missing_input"),
    "rich.prompt.Prompt.ask": Call("{ask}('Name', default='demo')", "missing_input"),
    "rich.prompt.IntPrompt.ask": Call("{ask}('Port')", "missing_input"),
    "rich.prompt.FloatPrompt.ask": Call("{ask}('Ratio')", "missing_input"),
    "rich.prompt.Confirm.ask": Call("{ask}('Delete it?', default=True)", "consent_required"),
    "rich.console.Console.input": Call("{ask}('Name: ')", "missing_input"),
    "questionary.text": Call("{ask}('Name').ask()", "missing_input"),
    "questionary.password": Call("{ask}('Key').ask()", "auth_required"),
    "questionary.confirm": Call("{ask}('Delete it?').ask()", "consent_required"),
    "questionary.select": Call("{ask}('Colour', choices=['red', 'blue']).ask()", "missing_input"),
    "questionary.rawselect": Call("{ask}('Colour', choices=['red', 'blue']).ask()", "missing_input"),
    "questionary.checkbox": Call("{ask}('Colours', choices=['red', 'blue']).unsafe_ask()", "missing_input"),
    "questionary.autocomplete": Call("{ask}('Colour', choices=['red', 'blue']).ask()", "missing_input"),
    "questionary.path": Call("import asyncio; asyncio.run({ask}('Folder').ask_async())", "missing_input"),
    "questionary.press_any_key_to_continue": Call("{ask}().ask()", "consent_required"),
    "questionary.form": Call(_FORM, "missing_input"),
    "questionary.prompt": Call("{ask}([{{'type': 'text', 'name': 'a', 'message': 'First'}}])", "missing_input"),
    "questionary.unsafe_prompt": Call("{ask}([{{'type': 'text', 'name': 'a', 'message': 'First'}}])", "missing_input"),
    "pydoc.pager": Call("{ask}('a long text')", None),
    "sys.stdin.readline": Call("print('Name: ', end=''); {ask}()", "missing_input"),
    "webbrowser.open": Call("{ask}('https://example.invalid')", "secret"),
    "webbrowser.open_new": Call("{ask}('https://example.invalid')", "secret"),
    "webbrowser.open_new_tab": Call("{ask}('https://example.invalid')", "secret"),
    "inquirer.prompt": Call("{ask}([inquirer.Text('a', 'First'), inquirer.Text('b', 'Second')])", "missing_input"),
    "inquirer.text": Call("{ask}('Name')", "missing_input"),
    "inquirer.editor": Call("{ask}('Text')", "missing_input"),
    "inquirer.password": Call("{ask}('Key')", "auth_required"),
    "inquirer.confirm": Call("{ask}('Delete it?', default=True)", "consent_required"),
    "inquirer.list_input": Call("{ask}('Colour', choices=['red', 'blue'])", "missing_input"),
    "inquirer.checkbox": Call("{ask}('Colours', choices=['red', 'blue'])", "missing_input"),
    "inquirer.path": Call("{ask}('Folder')", "missing_input"),
    "prompt_toolkit.prompt": Call("{ask}('Name: ')", "missing_input"),
    "prompt_toolkit.PromptSession.prompt": Call("{ask}('Name: ')", "missing_input"),
    "prompt_toolkit.PromptSession.prompt_async": Call("import asyncio; asyncio.run({ask}('Name: '))", "missing_input"),
    "prompt_toolkit.shortcuts.confirm": Call("{ask}('Delete it?')", "consent_required"),
    "prompt_toolkit.shortcuts.choice": Call("{ask}('Colour', options=[('r', 'red'), ('b', 'blue')])", "missing_input"),
    "prompt_toolkit.shortcuts.input_dialog": Call("{ask}('Name', 'Your name').run()", "missing_input"),
    "prompt_toolkit.shortcuts.yes_no_dialog": Call("{ask}('Delete', 'Delete it?').run()", "consent_required"),
    "prompt_toolkit.shortcuts.button_dialog": Call(
        "{ask}('Colour', 'Which?', buttons=[('red', 1), ('blue', 2)]).run()", "missing_input"
    ),
    "prompt_toolkit.shortcuts.radiolist_dialog": Call(
        "{ask}('Colour', 'Which?', values=[(1, 'red'), (2, 'blue')]).run()", "missing_input"
    ),
    "prompt_toolkit.shortcuts.checkboxlist_dialog": Call(
        "{ask}('Colours', 'Which?', values=[(1, 'red'), (2, 'blue')]).run()", "missing_input"
    ),
    "prompt_toolkit.shortcuts.message_dialog": Call("{ask}('Done', 'It is done.').run()", "consent_required"),
    # no code: what is only reported, or has tests of its own
    "IPython.embed": Call("", None),
    "IPython.start_ipython": Call("", None),
    "IPython.embed_kernel": Call("", None),
    "IPython.core.debugger.set_trace": Call("", None),
    "IPython.terminal.debugger.set_trace": Call("", None),
    "InquirerPy.inquirer.text": Call("", None),
    "InquirerPy.inquirer.secret": Call("", None),
    "InquirerPy.inquirer.confirm": Call("", None),
    "InquirerPy.inquirer.select": Call("", None),
    "InquirerPy.inquirer.rawlist": Call("", None),
    "InquirerPy.inquirer.expand": Call("", None),
    "InquirerPy.inquirer.fuzzy": Call("", None),
    "InquirerPy.inquirer.checkbox": Call("", None),
    "InquirerPy.inquirer.number": Call("", None),
    "InquirerPy.inquirer.filepath": Call("", None),
    "InquirerPy.prompt": Call("", None),
    "InquirerPy.prompt_async": Call("", None),
    "PyInquirer.prompt": Call("", None),
    "asyncclick.prompt": Call("", None),
    "asyncclick.confirm": Call("", None),
    "asyncclick.pause": Call("", None),
    "asyncclick.getchar": Call("", None),
    "asyncclick.edit": Call("", None),
    "asyncclick.echo_via_pager": Call("", None),
    "asyncclick.option": Call("", None),
    "asyncclick.password_option": Call("", None),
    "asyncclick.confirmation_option": Call("", None),
    "beaupy.confirm": Call("{ask}('Delete it?')", "consent_required"),
    "beaupy.prompt": Call("", None),
    "beaupy.select": Call("", None),
    "beaupy.select_multiple": Call("", None),
    "bullet.Bullet.launch": Call("", None),
    "bullet.Check.launch": Call("", None),
    "bullet.Input.launch": Call("", None),
    "bullet.YesNo.launch": Call("", None),
    "bullet.Password.launch": Call("", None),
    "bullet.Numbers.launch": Call("", None),
    "bullet.SlidePrompt.launch": Call("", None),
    "bullet.VerticalPrompt.launch": Call("", None),
    "cement.utils.shell.Prompt": Call("", None),
    "cleo.commands.command.Command.confirm": Call("", None),
    "cleo.commands.command.Command.secret": Call("", None),
    "cleo.commands.command.Command.ask": Call("", None),
    "cleo.commands.command.Command.choice": Call("", None),
    "cleo.ui.question.Question.ask": Call("", None),
    "click.launch": Call("", None),
    "click.Option": Call("", None),
    "cmd.Cmd.cmdloop": Call("{ask}()", "missing_input"),
    "code.InteractiveConsole.interact": Call("", None),
    "code.InteractiveConsole.raw_input": Call("", None),
    "curses.wrapper": Call("", None),
    "curses.window.getch": Call("", None),
    "curses.window.getkey": Call("", None),
    "curses.window.get_wch": Call("", None),
    "curses.window.getstr": Call("", None),
    "enquiries.choose": Call("{ask}('Colour', ['red', 'blue'])", "missing_input"),
    "enquiries.confirm": Call("{ask}('Delete it?')", "consent_required"),
    "enquiries.freetext": Call("{ask}('Text')", "missing_input"),
    "fire.interact.Embed": Call("", None),
    "future.builtins.input": Call("{ask}('Name: ')", "missing_input"),
    "getpass4.getpass": Call("{ask}('Key: ')", "auth_required"),
    "ipdb.set_trace": Call("", None),
    "ipdb.post_mortem": Call("", None),
    "ipdb.pm": Call("", None),
    "ipdb.run": Call("", None),
    "ipdb.runcall": Call("", None),
    "ipdb.runeval": Call("", None),
    "google_auth_oauthlib.flow.InstalledAppFlow.run_local_server": Call("", None),
    "maskpass.askpass": Call("{ask}('Key: ')", "auth_required"),
    "maskpass.advpass": Call("", None),
    "msvcrt.getch": Call("", None),
    "msvcrt.getche": Call("", None),
    "msvcrt.getwch": Call("", None),
    "msvcrt.getwche": Call("", None),
    "pdb.Pdb.set_trace": Call("", None),
    "pick.pick": Call("{ask}(['red', 'blue'], 'Colour')", "missing_input"),
    "plumbum.cli.terminal.ask": Call("{ask}('Delete it?')", "consent_required"),
    "plumbum.cli.terminal.choose": Call("{ask}('Colour', ['red', 'blue'])", "missing_input"),
    "plumbum.cli.terminal.prompt": Call("{ask}('Port', type=int)", "missing_input"),
    "plumbum.cli.terminal.readline": Call("{ask}('Name: ')", "missing_input"),
    "pudb.set_trace": Call("", None),
    "pudb.post_mortem": Call("", None),
    "pudb.pm": Call("", None),
    "pudb.runscript": Call("", None),
    "pudb.runstatement": Call("", None),
    "pudb.runeval": Call("", None),
    "pudb.runcall": Call("", None),
    "pudb.remote.set_trace": Call("", None),
    "pwinput.pwinput": Call("{ask}('Key: ')", "auth_required"),
    "rich.console.Console.pager": Call("", None),
    "simple_term_menu.TerminalMenu.show": Call("", None),
    "stdiomask.getpass": Call("{ask}('Key: ')", "auth_required"),
    "survey.routines.input": Call("", None),
    "survey.routines.numeric": Call("", None),
    "survey.routines.datetime": Call("", None),
    "survey.routines.conceal": Call("", None),
    "survey.routines.inquire": Call("", None),
    "survey.routines.select": Call("", None),
    "survey.routines.basket": Call("", None),
    "survey.routines.form": Call("", None),
    "textual.app.App.run": Call("", None),
    "textual.app.App.run_async": Call("", None),
    "tty.setraw": Call("", None),
    "tty.setcbreak": Call("", None),
    "typer.getchar": Call("{ask}()", "missing_input"),
    "typer.launch": Call("", None),
}

# a method of an object that the program makes
OBJECTS = {
    "cmd.Cmd.cmdloop": "cmd.Cmd().cmdloop",
    "rich.console.Console.input": "rich.get_console().input",
    "prompt_toolkit.PromptSession.prompt": "prompt_toolkit.PromptSession().prompt",
    "prompt_toolkit.PromptSession.prompt_async": "prompt_toolkit.PromptSession().prompt_async",
}


# what is gated is not the entry itself
GATED = {"sys.stdin.readline": "agentgate.gate(sys.stdin).readline"}


def program(entry: str, *, imports: str) -> str:
    """A program that calls the entry and would go on afterwards."""
    code = CALLS[entry].code.format(ask=GATED.get(entry, f"agentgate.gate({OBJECTS.get(entry, entry)})"))
    return f"import agentgate, builtins, {imports}\n{code}\nprint('went on')\n"
