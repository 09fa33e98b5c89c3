"""Labels and names of answers."""

from __future__ import annotations

import pytest

from agentgate.label import yes_no
from agentgate.lint import lint_file

BEFORE = "from click import prompt\nTITLE = 'Title: '\nTWICE = 'a'\nTWICE = 'b'\n"


@pytest.mark.parametrize(
    ("source", "label", "name"),
    [
        ("x = input('Project name [demo]: ')", "Project name [demo]: ", "project_name"),
        ("x = input('a' 'b')", "ab", "ab"),
        ("x = input(prompt='kw')", "kw", "kw"),
        ("x = prompt(text='kw')", "kw", "kw"),
        ("x = prompt(default='kw')", None, None),
        ("x = input('Hello ' + who + ': ')", "Hello {…}: ", None),
        ("x = input(f'Delete {path!r:>3}? [y/N]')", "Delete {…}? [y/N]", None),
        ("x = input(f'Name [{default}]: ')", "Name [{…}]: ", "name"),
        ("x = input('%s of %d, 100%%: ' % (a, b))", "{…} of {…}, 100%: ", None),
        ("x = input('%(a)s: ' % d)", None, None),
        ("x = input('{} and {x!r:>{w}} {{}}: '.format(1))", "{…} and {…} {}: ", None),
        ("x = input(_('Translated: '))", "Translated: ", "translated"),
        ("x = input(_('Hi %s: ') % who)", "Hi {…}: ", None),
        ("x = input(gettext('Translated') + ': ')", "Translated: ", "translated"),
        ("x = input(TITLE)", "Title: ", "title"),
        ("x = input('The ' + TITLE)", "The Title: ", "the_title"),
        ("x = input(TWICE)", None, None),
        ("def f(TITLE):\n    return input(TITLE)", None, None),
        ("x = input(unknown)", None, None),
        ("x = input(*args)", None, None),
        ("x = input(f'{a}')", None, None),
        ("x = input('\\x1b[1mBold\\x1b[0m: ')", "\x1b[1mBold\x1b[0m: ", "bold"),
        ("print('First')\nx = input()", "First", "first"),
        ("print('First', 'second')\nx = input()", None, None),
        ("print('To a file', file=f)\nx = input()", None, None),
        ("print('First')\n\nif input() == 'y': pass", "First", "first"),
        ("print('First')\nx = input('Second')", "Second", "second"),
        ("print('First')\nfor i in x:\n    y = input()", None, None),
        ("sys.stdout.write('First')\nsys.stdout.flush()\nx = input()", "First", "first"),
        ("click.echo('First', nl=False)\nx = input()", "First", "first"),
        ("self.prompt_output.write('First', ending='')\ntry:\n    x = input()\nfinally:\n    pass", "First", "first"),
        ("print('First')\nwhile True:\n    x = input()", "First", "first"),
        ("print('First')\nwhile x:\n    x = input()", None, None),
        ("print('First', file=sys.stderr)\nx = input()", "First", "first"),
        ("file.write('First')\nx = input()", None, None),
        ("import getpass\ngetpass.getpass()", "Password: ", "password"),
        ("from rich.prompt import Prompt\nPrompt.ask('[bold]Apply[/bold]')", "[bold]Apply[/bold]", "apply"),
    ],
)
def test_label_and_name(source: str, label: str | None, name: str | None) -> None:
    finding = lint_file("x.py", (BEFORE + source + "\n").encode())[-1]
    assert finding.label == label
    assert finding.name == name


@pytest.mark.parametrize(
    ("label", "yes"),
    [
        ("Type 'yes' to continue, or 'no' to cancel: ", "yes"),
        ('Enter "YES" to delete: ', "YES"),
        ("yes/[no]: ", "yes"),
        ("Say yesterday: ", None),
        ("Enter your name: ", None),
    ],
)
def test_a_label_that_says_which_word_goes_on_is_a_yes_no_question(label: str, yes: str | None) -> None:
    found = yes_no(label)
    assert (found.yes if found else None) == yes
    source = f"x = input({label!r})\nif not x:\n    x = 'no'\n"
    (finding,) = lint_file("x.py", source.encode())
    assert finding.code == ("AG102" if yes else "AG101")
