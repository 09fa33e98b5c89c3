"""What an agent reads before, while and after it calls a program: every form is made from its own parser.

`tree` says what a parser declares; each surface is one module, a function of that tree. The integrations
read the tree, `serve` finds which surface a command line asks for.
"""
