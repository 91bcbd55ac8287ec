"""Converts a page of docs/ for the site: adjacent folded sections become tabs, and a file name above a program becomes
its title.
"""

import re
from textwrap import indent

SECTION = r"<details(?: open)?>\n<summary><b>[^\n]+</b></summary>\n.*?\n</details>\n"
SECTIONS = re.compile(rf"^(?:{SECTION}\n*)+", re.DOTALL | re.MULTILINE)
PARTS = re.compile(r"<summary><b>([^\n]+)</b></summary>\n(.*?)\n</details>\n", re.DOTALL)
TITLE = re.compile(r"^`([^`\n]+)`\n\n```(\w+)$", re.MULTILINE)
COMMENT = re.compile(r"^<!-- code: [^\n]+ -->\n", re.MULTILINE)


def tabs(sections: str) -> str:
    return "".join(f'=== "{name}"\n{indent(text, "    ")}\n' for name, text in PARTS.findall(sections))


def as_site(page: str) -> str:
    titled = TITLE.sub(r'```\2 title="\1"', COMMENT.sub("", page))
    return SECTIONS.sub(lambda found: tabs(found[0]), titled)
