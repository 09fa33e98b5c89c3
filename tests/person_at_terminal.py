"""A person at a terminal of their own, for tests: a process with nothing above it, and a pseudo-terminal below.

It leaves the process that started it (which may be an agent's) as a terminal window would. SECURITY.md says what
that means: whoever can start such a process as the same user can be the person.
"""

from __future__ import annotations

import json
import os
import pty
import select
import sys
import time

from trusted import code_on

LIMIT = 20.0


def main() -> None:
    request = json.loads(sys.argv[1])
    if os.fork():
        os._exit(0)
    os.setsid()
    if os.fork():
        os._exit(0)
    while os.getppid() == os.getsid(0):
        time.sleep(0.005)
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(request["folder"])
        os.execvp(request["argv"][0], request["argv"])
    os.write(terminal, request["ahead"].encode())
    screen, typed, start = b"", False, time.monotonic()
    while time.monotonic() - start < LIMIT:
        if not select.select([terminal], [], [], 0.05)[0]:
            continue
        try:
            data = os.read(terminal, 65536)
        except OSError:
            break
        screen += data
        code = code_on(screen.decode("utf-8", "replace"))
        if code and not typed and screen.rstrip().endswith(b"no):"):
            typed = True
            answer = code if request["types"] == "code" else request["types"]
            os.write(terminal, answer.encode() + b"\n")
    _, status = os.waitpid(pid, 0)
    done = {"code": os.waitstatus_to_exitcode(status), "out": screen.decode("utf-8", "replace")}
    temporary = request["result"] + ".part"
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump(done, file)
    os.replace(temporary, request["result"])


if __name__ == "__main__":
    main()
