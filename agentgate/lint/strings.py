"""Strings and comments as a regular expression: what is code, and what is not, without a syntax tree."""

from __future__ import annotations

__all__ = ["STRING_OR_COMMENT"]

# to be compiled with re.DOTALL
STRING_OR_COMMENT = (
    r"#[^\r\n]*"
    r'|"(?:""[^"\\]*(?:\\.[^"\\]*|"(?!"")[^"\\]*)*"""|[^"\\\r\n]*(?:\\(?:\r\n|.)[^"\\\r\n]*)*")'
    r"|'(?:''[^'\\]*(?:\\.[^'\\]*|'(?!'')[^'\\]*)*'''|[^'\\\r\n]*(?:\\(?:\r\n|.)[^'\\\r\n]*)*')"
)
