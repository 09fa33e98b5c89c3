"""The rules: what each is called, what an agent would meet, and what to do about it."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["RULES", "Rule"]


class Rule(NamedTuple):
    """One rule, as `agentgate rule CODE` explains it.

    name: its name. text: the sentence of a finding; `{call}` stands for the prompt or the place.
    why: what goes wrong. example: code that it finds. fix: what `agentgate fix` does, or a person should do.
    default: whether it is on without being asked for.
    """

    name: str
    text: str
    why: str
    example: str
    fix: str
    default: bool = True

    @property
    def title(self) -> str:
        """The sentence without the place: what is wrong with a file that cannot be read differs from file to file."""
        return self.text.replace("`{call}` ", "").replace("{call}", "cannot be parsed, decoded or opened")


RULES = {
    "AG101": Rule(
        "missing-input",
        "`{call}` waits for a value: an agent would hang here, or read an empty line",
        "An agent hands its children an idle pipe, a socket or nothing at all as stdin. A prompt on it waits for ever, "
        "dies with EOFError, or takes an empty line for an answer.",
        'name = input("Project name: ")',
        'Wraps the prompt: `gate(input)("Project name: ")`. An agent is told which value is missing and how to hand it '
        "over; a person sees no difference.",
    ),
    "AG102": Rule(
        "consent-required",
        "`{call}` asks for a go-ahead: an agent would hang, or say yes in a person's place",
        "A yes/no question stands before something that a person has to agree to. An agent that pipes a `y` into it "
        "agrees in the person's place.",
        'if click.confirm("Delete everything?"):\n    delete()',
        'Wraps the prompt: `gate(click.confirm)("Delete everything?")`. An agent needs a token that stands for a '
        "person's go-ahead to exactly this command line.",
    ),
    "AG103": Rule(
        "auth-required",
        "`{call}` waits for a secret: an agent has none to type, and would hang",
        "A password is read from the terminal itself, so not even a pipe helps, and an agent should not know it.",
        'password = getpass.getpass("Password: ")',
        "Wraps the prompt: `gate(getpass.getpass)(…)`. An agent is told that a person has to hand the secret over on "
        "stdin, never on the command line.",
    ),
    "AG104": Rule(
        "prompting-option",
        "`{call}` declares an option that prompts when it is left out",
        "The framework asks for the option before the program's own code runs, so no check in the program can help.",
        '@click.option("--name", prompt=True)\ndef main(name): ...',
        'Wraps the declaration: `@gate(click.option)("--name", prompt=True)`. An agent is told the option to add.',
    ),
    "AG105": Rule(
        "pause",
        "`{call}` waits for a key that an agent will never press",
        "Nothing is asked, yet the program stands still until somebody presses a key.",
        'input("Press Enter to continue...")',
        "Wraps the prompt. Where the program is leaving anyway an agent goes on at once; elsewhere Enter is a "
        "go-ahead, and so a consent.",
    ),
    "AG106": Rule(
        "editor-or-pager",
        "`{call}` opens a program that waits for a person at the terminal",
        "An editor or a pager takes over the terminal until a person leaves it.",
        "text = click.edit()",
        "Wraps the call where the runtime knows it: a pager prints plain text, an editor's text is a missing value. "
        "Others are reported.",
    ),
    "AG107": Rule(
        "debugger",
        "`{call}` stops in a debugger that waits for commands",
        "A debugger left in a program waits for commands that nobody types.",
        "breakpoint()",
        "Nothing: whether the line goes or stays is for a person to decide.",
    ),
    "AG108": Rule(
        "prompt-reference",
        "`{call}` is handed on as a value: whoever calls it waits for a person",
        "A prompt that is stored or passed on is called somewhere else, where nothing shows that it waits.",
        "ask(reader=input)",
        "Wraps the reference: `reader=gate.later(input)`, which decides at each call.",
    ),
    "AG109": Rule(
        "prompting-child",
        "`{call}` can wait for a person at the terminal",
        "A child process, or a read of stdin right after a printed question, waits for a person where nothing in the "
        "program says `input`.",
        'subprocess.run(["git", "push"])',
        "Reported: the message names the option or variable that keeps the child from asking. A "
        "`sys.stdin.readline()` that answers a printed question is wrapped.",
    ),
    "AG201": Rule(
        "ungated-effect",
        "`{call}` destroys something, and no consent was asked for before it",
        "A command that deletes or overwrites without a question does so for an agent as well, and no person has "
        "agreed to it.",
        "@cli.command()\ndef clean(path):\n    shutil.rmtree(path)",
        'Nothing: put `require_consent("delete", f"Delete {path}?")` before the effect.',
        default=False,
    ),
    "AG202": Rule(
        "swallowed-stop",
        "`{call}` throws away the stop of the prompt inside it",
        "A stop is a SystemExit. A handler that catches it and goes on, or a `return` in `finally`, turns "
        '"a person is needed" into "carry on".',
        'try:\n    name = input("Name: ")\nexcept:\n    name = "nobody"',
        "Nothing: catch `Exception`, or raise it again. (The runtime ends the process at such a place as well as it "
        "can.)",
    ),
    "AG203": Rule(
        "consent-bypass",
        "`{call}` takes the place of a person's consent",
        "An agent adds `--yes` or `--force` by itself, so the option proves nothing about what a person wants.",
        'if not yes and not click.confirm("Delete?"):\n    return',
        "Nothing by itself. `agentgate fix --consent-flags` routes the option through the consent of the question that "
        "it skips: `if not gate.consented(yes) and not gate(click.confirm)(…)`. Elsewhere call "
        '`require_consent("delete", "Delete?")` whatever the option says.',
    ),
    "AG204": Rule(
        "effect-before-prompt",
        "`{call}` has an effect before the question that follows it",
        "A run that stops at the question is run again with the answer, and does what stands before the question "
        "a second time.",
        'os.mkdir(folder)\nname = input("Name: ")',
        "With `--unsafe`, moves the question's lines up, where both are statements of one block, nothing between them "
        "writes, decides, or sets what the other uses. Others are reported: ask first, then act.",
        default=False,
    ),
    "AG301": Rule(
        "tty-is-not-agent",
        "`{call}` decides whether a person is asked, but does not tell a person from an agent",
        "An agent may well have a terminal, and a person may have none. Where the question is skipped without a "
        "terminal, the program goes on without an answer, or does nothing and reports success.",
        'if sys.stdin.isatty():\n    name = input("Name: ")',
        "Gates the stream, where the test is stdin's own and decides nothing but the question: "
        "`if gate(sys.stdin).isatty():`. For a person, and unattended, that is the same test; an agent comes to the "
        "question. Others are reported: ask with `gate(…)` in any case, or decide with `agentgate.detect_agent()`.",
    ),
    "AG302": Rule(
        "own-detection",
        "`{call}` is an agent's variable: `agentgate.detect_agent()` knows it, and all the others",
        "There are dozens of agents, and each sets its own variables; a list by hand is out of date, and a test of "
        "one variable knows one agent.",
        'if os.environ.get("CLAUDECODE"):\n    quiet = True',
        "Nothing: use `agentgate.detect_agent()`.",
    ),
    "AG901": Rule(
        "unreadable",
        "{call}",
        "Nothing can be said about a file that cannot be parsed, decoded or opened; a silent skip would look like "
        "a clean one.",
        'print raw_input("Name: ")',
        "Nothing: the file is left alone.",
    ),
}
