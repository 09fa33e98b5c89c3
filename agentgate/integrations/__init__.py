"""agentgate's options inside a program's own help, one module a parser: `argparse`, `click`, `typer`.

Each imports only its own framework.
"""
