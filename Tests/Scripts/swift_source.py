"""Reads Swift source for the checks of this folder."""

import re


def code_and_comments(text):
    """The code of a file and its comments, both of the length of the file.

    In the code, comments and the contents of strings are replaced by spaces, but not what is interpolated; in the
    comments, everything else is.
    """
    result = []
    comments = []

    def blank(part):
        result.append(re.sub(r"[^\n]", " ", part))

    def skip_string(start, hashes, quotes):
        """Writes a string from after its quotes to its end."""
        end, escape = quotes + hashes, "\\" + hashes
        at = start
        while at < len(text):
            if text.startswith(end, at):
                result.append(end)
                return at + len(end)
            if text.startswith(escape, at):
                if text.startswith("(", at + len(escape)):
                    result.append(" " * len(escape) + "(")
                    at = read(at + len(escape) + 1, ")")
                else:
                    blank(text[at:at + len(escape) + 1])
                    at += len(escape) + 1
                continue
            blank(text[at])
            at += 1
        return at

    token = re.compile(r'//[^\n]*|/\*.*?\*/|#*"""|#*"|[()]', re.DOTALL)

    def read(at, closing=None):
        """Writes code up to a closing parenthesis, or to the end."""
        depth = 0
        while found := token.search(text, at):
            result.append(text[at:found.start()])
            at, part = found.end(), found[0]
            if part[0] == "/":
                comments.append((found.start(), part))
                blank(part)
            elif part == "(":
                depth += 1
                result.append(part)
            elif part == ")":
                result.append(part)
                if depth == 0 and closing:
                    return at
                depth -= 1
            else:
                quotes = part.lstrip("#")
                result.append(part)
                at = skip_string(at, part[:len(part) - len(quotes)], quotes)
        result.append(text[at:])
        return len(text)

    read(0)
    notes, end = [], 0
    for start, comment in comments:
        notes += [re.sub(r"[^\n]", " ", text[end:start]), comment]
        end = start + len(comment)
    return "".join(result), "".join(notes) + re.sub(r"[^\n]", " ", text[end:])
