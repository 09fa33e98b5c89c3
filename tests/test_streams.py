"""stdout, stdin or stderr closed, broken or replaced: exit code 3 all the same, and no other file is harmed."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest
from programs import environment, run

ASK = "from agentgate import gate\n{before}\ntry: gate(input)('Name: ')\nfinally: print('after', flush=True)\n"


@pytest.mark.parametrize("redirect", [">&-", "2>&-", ">&- 2>&-", ">&- 2>&- <&-", "2>&- <&-"])
@pytest.mark.parametrize("before", ["", "print('before')"], ids=["silent", "printed"])
def test_closed(redirect: str, before: str, tmp_path: Path) -> None:
    ran = run(ASK.format(before=before), folder=tmp_path, redirect=redirect)
    assert ran.code == 3, ran
    if ">&-" not in redirect.replace("2>&-", ""):
        assert ran.error == "missing_input"


def test_a_file_that_got_the_number_of_a_closed_stream_is_not_written_to(tmp_path: Path) -> None:
    program = """
import os
from agentgate import gate
data = [os.open(name, os.O_CREAT | os.O_RDWR) for name in ("a", "b", "c")]
assert 1 in data and 2 in data, data
os.set_blocking(data[0], True)
try: gate(input)("Name: ")
finally:
    for number in data: os.write(number, b"data")
"""
    ran = run(program, folder=tmp_path, redirect=">&- 2>&- <&-")
    assert ran.code == 3, ran
    assert [(tmp_path / name).read_bytes() for name in "abc"] == [b"data"] * 3


@pytest.mark.parametrize("broken", ["stdout", "stderr", "both"])
@pytest.mark.parametrize("before", ["", "print('before')", "print('x' * 200_000)"], ids=["silent", "printed", "much"])
@pytest.mark.parametrize("swallow", ["", "\nexcept: pass"], ids=["raised", "thrown away"])
def test_a_reader_that_went_away(broken: str, before: str, swallow: str, tmp_path: Path) -> None:
    source = ASK.format(before=before)
    if "200_000" in before:  # that it fails is the program's own affair, so it lets it pass
        source = source.replace(before, f"try: {before}\nexcept BrokenPipeError: pass")
    (tmp_path / "app.py").write_text(source.replace("\nfinally:", f"{swallow}\nfinally:"), "utf-8")
    read, write = os.pipe()
    os.close(read)
    streams = {name: write if broken in (name, "both") else subprocess.PIPE for name in ("stdout", "stderr")}
    child = subprocess.Popen(
        [sys.executable, "app.py"], cwd=tmp_path, env=environment(agent=True), stdin=subprocess.DEVNULL, **streams
    )
    os.close(write)
    out, _ = child.communicate(timeout=10)
    assert child.returncode == 3
    if broken == "stderr":
        assert out.count(b'"agentgate/v1"') == 1


@pytest.mark.parametrize(
    "replaced",
    [
        "import io, sys; sys.stdout = io.StringIO()",
        "import io, sys; sys.stdout = io.TextIOWrapper(sys.stdout.detach(), encoding='utf-16')",
        "import sys; sys.stdout = open('other.txt', 'w')",
        "import sys; sys.stdout = sys.stderr",
        "import sys, codecs; sys.stdout = codecs.getwriter('latin-1')(sys.stdout.buffer)",
        "import io, sys, contextlib; contextlib.redirect_stdout(io.StringIO()).__enter__()",
        "from rich.live import Live; Live('working', refresh_per_second=1).start()",
    ],
)
def test_replaced_stdout(replaced: str, tmp_path: Path) -> None:
    ran = run(ASK.format(before=replaced), folder=tmp_path)
    assert ran.code == 3, ran
    assert ran.out.rstrip("\n").rpartition("\n")[2].startswith('{"schema": "agentgate/v1"'), ran


BROKEN = """
class Proxy:
    def write(self, text): pass
    def flush(self): raise {error}
sys.stdout = Proxy()
"""


@pytest.mark.parametrize(
    "replaced",
    [
        *("sys.stdout = open('other.txt', 'w'); sys.stdout.close()", "sys.stdout = io.StringIO(); sys.stdout.close()"),
        *("sys.stdout = io.TextIOWrapper(io.BytesIO()); sys.stdout.close()", "sys.stdout = object()"),
        *(BROKEN.format(error=error) for error in ("BrokenPipeError(32, 'gone')", "RuntimeError('no')")),
    ],
)
def test_a_replaced_stdout_that_fails(replaced: str, tmp_path: Path) -> None:
    source = f"import io, sys\nfrom agentgate import gate\n{replaced}\ngate(input)('Name: ')\n"
    ran = run(source, folder=tmp_path)
    assert ran.error == "missing_input"


@pytest.mark.parametrize(
    "stdin", ["import sys; sys.stdin = None", "import sys; sys.stdin.close()", "import os; os.close(0)"]
)
def test_no_stdin(stdin: str, tmp_path: Path) -> None:
    ran = run(ASK.format(before=stdin), folder=tmp_path)
    assert (ran.code, ran.error) == (3, "missing_input"), ran


def test_a_stop_inside_a_replayed_prompt_is_seen(tmp_path: Path) -> None:
    program = """
import click
from agentgate import gate
def convert(value): return value + gate(input)("Really? Say why: ")
print(gate(click.prompt)("Name", value_proc=convert))
"""
    ran = run(program, folder=tmp_path, env={"AGENTGATE_ANSWERS": '{"name": "demo"}'})
    assert (ran.code, ran.envelope["inputs"][0]["label"]) == (3, "Really? Say why"), ran


def test_a_full_nonblocking_pipe_gets_the_whole_envelope(tmp_path: Path) -> None:
    program = """
import fcntl, os
from agentgate import gate
os.set_blocking(1, False)
gate(input)("Name " + "x" * 300_000)
"""
    ran = run(program, folder=tmp_path)
    assert (ran.code, len(ran.envelope["message"])) == (3, len("Name " + "x" * 300_000) + len('"" needs an answer.')), (
        ran
    )


CLEANS = """
import atexit, sys, time
from agentgate import gate
atexit.register(print, "at exit", file=sys.stderr)
try: gate(input)("Name: ")
{handler}
    time.sleep({seconds})
    print("rolled back"); print("and said so", file=sys.stderr)
"""


@pytest.mark.parametrize("handler", ["finally:", "except BaseException as error:\n    print(error, file=sys.stderr)"])
@pytest.mark.parametrize("where", ["2>&1", "terminal"])
def test_the_envelope_is_last_where_stdout_and_stderr_are_one(where: str, handler: str, tmp_path: Path) -> None:
    how = {"stdin": "terminal"} if where == "terminal" else {"redirect": where}
    ran = run(CLEANS.format(handler=handler, seconds=0), folder=tmp_path, **how)  # type: ignore[arg-type]
    assert ran.code == 3, ran
    said = ran.before_envelope.split()
    assert {"rolled", "said"} <= set(said)
    assert ran.error == "missing_input"


def test_there_it_does_not_wait_for_cleanup_that_takes_long(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(CLEANS.format(handler="finally:", seconds=30))
    with subprocess.Popen(
        [sys.executable, "app.py"],
        cwd=tmp_path,
        env=environment(agent=True),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as child:
        assert child.stdout is not None
        before = list(itertools.takewhile(lambda line: '"agentgate/v1"' not in line, child.stdout))
        assert "rolled back\n" not in before
        assert child.poll() is None, "it cleans up"
        child.kill()
