"""The prompts that the oracle looks for, written down apart from the product's catalog."""

import re

VALUE, YES_NO, SECRET = "AG101", "AG102", "AG103"
DECLARATION, PAUSE, EDITOR, DEBUGGER, REFERENCE = "AG104", "AG105", "AG106", "AG107", "AG108"

PROMPTS: dict[str, str] = {
    "builtins.input": VALUE,
    "builtins.raw_input": VALUE,
    "cmd.Cmd.cmdloop": VALUE,
    "code.interact": DEBUGGER,
    "IPython.start_ipython": DEBUGGER,
    "pdb.post_mortem": DEBUGGER,
    "getpass.getpass": SECRET,
    "click.prompt": VALUE,
    "click.confirm": YES_NO,
    "click.pause": PAUSE,
    "click.edit": EDITOR,
    "click.echo_via_pager": EDITOR,
    "click.getchar": VALUE,
    "click.option": DECLARATION,
    "click.Option": DECLARATION,
    "click.password_option": DECLARATION,
    "click.confirmation_option": DECLARATION,
    "typer.prompt": VALUE,
    "typer.confirm": YES_NO,
    "typer.pause": PAUSE,
    "typer.edit": EDITOR,
    "typer.getchar": VALUE,
    "typer.Option": DECLARATION,
    "rich.prompt.PromptBase.ask": VALUE,
    "rich.prompt.Prompt.ask": VALUE,
    "rich.prompt.IntPrompt.ask": VALUE,
    "rich.prompt.FloatPrompt.ask": VALUE,
    "rich.prompt.Confirm.ask": YES_NO,
    "rich.console.Console.input": VALUE,
    "questionary.text": VALUE,
    "questionary.password": SECRET,
    "questionary.confirm": YES_NO,
    "questionary.select": VALUE,
    "questionary.checkbox": VALUE,
    "questionary.autocomplete": VALUE,
    "questionary.path": VALUE,
    "questionary.rawselect": VALUE,
    "questionary.press_any_key_to_continue": PAUSE,
    "questionary.prompt": VALUE,
    "questionary.unsafe_prompt": VALUE,
    "questionary.form": VALUE,
}

# These prompt only when they are told to; the others of the kind always do.
ONLY_WITH_PROMPT = {"click.option", "click.Option", "typer.Option"}

# The same object under another name: rich-click re-exports click, and each library its own submodules.
SAME = [
    (re.compile(r"^(?:rich_click|asyncclick)\."), "click."),
    (re.compile(r"^click\.(?:termui|decorators|core)\."), "click."),
    (re.compile(r"^rich_click\.rich_click\."), "click."),
    (re.compile(r"^typer\.(?:params|main)\.(?=Option$)"), "typer."),
    (re.compile(r"^questionary\.(?:prompts\.\w+|prompt)\.(?=\w)"), "questionary."),
]


def canonical(name: str) -> str:
    """The name under which PROMPTS has it."""
    for pattern, replacement in SAME:
        name = pattern.sub(replacement, name)
    return name
