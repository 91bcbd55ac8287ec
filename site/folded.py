"""Converts a page of docs/ for the site: adjacent folded sections become tabs, a file name above a program becomes its
title, and the lines that are new in a step of the start pages are highlighted.
"""

import re
from textwrap import indent

SECTION = r"<details(?: open)?>\n<summary><b>[^\n]+</b></summary>\n.*?\n</details>\n"
SECTIONS = re.compile(rf"^(?:{SECTION}\n*)+", re.DOTALL | re.MULTILINE)
PARTS = re.compile(r"<summary><b>([^\n]+)</b></summary>\n(.*?)\n</details>\n", re.DOTALL)
TITLE = re.compile(r"^`([^`\n]+)`\n\n```(\w+)(.*)$", re.MULTILINE)
STEP = re.compile(r"^(<!-- code: examples/start/[^\n]+ -->\n```\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NEW = re.compile(r"(?:#|//) New\b")
COMMENT = re.compile(r"^<!-- code: [^\n]+ -->\n", re.MULTILINE)


def tabs(sections: str) -> str:
    return "".join(f'=== "{name}"\n{indent(text, "    ")}\n' for name, text in PARTS.findall(sections))


def new_lines(program: str) -> list[int]:
    """Returns the numbers of the lines that are new: those with a comment that says so, and those behind one that has a
    line of its own, up to the next empty line.
    """
    found, is_within = list[int](), False
    for number, line in enumerate(program.splitlines(), 1):
        says_new = NEW.search(line)
        is_within = bool(line) and (is_within or bool(says_new and not line[: says_new.start()].strip()))
        if is_within or says_new:
            found.append(number)
    return found


def highlighted(step: re.Match[str]) -> str:
    numbers = new_lines(step[2])
    marks = f' hl_lines="{" ".join(map(str, numbers))}"' if numbers else ""
    return f"{step[1]}{marks}\n{step[2]}```"


def as_site(page: str) -> str:
    titled = TITLE.sub(r'```\2 title="\1"\3', COMMENT.sub("", STEP.sub(highlighted, page)))
    return SECTIONS.sub(lambda found: tabs(found[0]), titled)
