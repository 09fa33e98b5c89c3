"""`python -m agentgate.surfaces PROGRAM`: the same as `agentgate surfaces PROGRAM`, for any environment's Python."""

import sys

from ..cli import script

if __name__ == "__main__":
    sys.argv.insert(1, "surfaces")
    at = sys.orig_argv.index("agentgate.surfaces")
    sys.orig_argv[at : at + 1] = ["agentgate", "surfaces"]  # which is the same, and what `next` starts with
    script()
