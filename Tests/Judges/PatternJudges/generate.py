"""Random expressions and subjects. Most expressions are valid for Go's regexp."""

import random

LETTERS = ["a", "b", "k", "s", "K", "x", "é", "ſ", "K", "ß", "Σ", "ς", "\n", "\r", "\v", " ", "_", "0", "7", "-", "]", "[", "\\", ".",
           "$", "^", "{", "}", "(", ")", "|", "*", "+", "?", "\0", "\x1c", "\x85", "\u2028", "😀", "\ufffd", ":"]
ESCAPES = ["\\d", "\\D", "\\s", "\\S", "\\w", "\\W", "\\pL", "\\PL", "\\p{Greek}", "\\P{Greek}", "\\p{^Lu}", "\\pN", "\\n", "\\r", "\\t", "\\v", "\\f",
           "\\a", "\\x41", "\\x{1F600}", "\\123", "\\07", "\\.", "\\\\", "\\*", "\\[", "\\-", "\\x{d800}", "\\x7f", "\\pZ", "\\p{Any}"]
OTHERS = ["\\b", "\\B", "\\A", "\\z", "^", "$", ".", "\\Qa.b\\E", "\\Q*", "\\K", "\\1", "\\C", "\\Z", "\\h", "\\R", "(?=a)", "a++", "\\G"]
NAMED = ["[:alpha:]", "[:^digit:]", "[:word:]", "[:space:]", "[:punct:]", "[:lower:]", "[:^upper:]", "[:xdigit:]", "[:print:]", "[:ascii:]", "[:^ascii:]", "[:graph:]"]
SIMPLE = "aabbkKs\n.x"


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def subject(self):
        """Random bytes, some of which are not UTF-8."""
        pieces = []
        for _ in range(self.random.randrange(12)):
            kind = self.random.random()
            if kind < 0.6:
                pieces.append(self.random.choice(SIMPLE).encode())
            elif kind < 0.93:
                pieces.append(self.random.choice(LETTERS).encode())
            else:
                pieces.append(bytes([self.random.choice([0x80, 0xC3, 0xE2, 0xED, 0xA0, 0xF0, 0xFF])]))
        return b"".join(pieces)

    def expression(self):
        """An expression that may be invalid."""
        self.names = 0
        flags = self.random.choice(["", "", "", "(?i)", "(?m)", "(?s)", "(?U)", "(?ims)", "(?im-s)"])
        return flags + self.alternatives(self.random.randrange(1, 4))

    def alternatives(self, depth):
        return "|".join(self.branch(depth) for _ in range(self.random.choice([1, 1, 1, 2, 2, 3])))

    def branch(self, depth):
        return "".join(self.repeated(depth) for _ in range(self.random.choice([0, 1, 1, 2, 2, 3])))

    def repeated(self, depth):
        atom = self.atom(depth)
        if self.random.random() < 0.35:
            atom += self.random.choice(["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,}", "{,2}", "{2", "{1,2}?", "{0}", "{2}{2}", "**"])
        return atom

    def atom(self, depth):
        kind = self.random.random()
        if depth > 0 and kind < 0.3:
            inner = self.alternatives(depth - 1)
            self.names += 1
            return self.random.choice(["(", "(", "(?:", "(?i:", "(?-i:", "(?s:", "(?m:", "(?U:", f"(?P<n{self.names}>"]) + inner + ")"
        if kind < 0.55:
            return self.random.choice(SIMPLE)
        if kind < 0.62:
            return self.random.choice(LETTERS)
        if kind < 0.75:
            return self.random.choice(ESCAPES)
        if kind < 0.88:
            return self.set()
        if kind < 0.9:
            return self.random.choice(["(?i)", "(?-i)", "(?m)", "(?s)"])
        return self.random.choice(OTHERS) if kind > 0.985 else self.random.choice(OTHERS[:8])

    def set(self):
        members = []
        for _ in range(self.random.randrange(1, 4)):
            kind = self.random.random()
            if kind < 0.5:
                members.append(self.random.choice(SIMPLE))
            elif kind < 0.65:
                members.append(self.random.choice(["a-k", "0-9", "A-Z", "\\x00-\\x1f", "α-ω", "z-a", "a-", "-b", "\\x{d000}-\\x{e000}", "k-\\x{10ffff}"]))
            elif kind < 0.8:
                members.append(self.random.choice(ESCAPES))
            elif kind < 0.95:
                members.append(self.random.choice(NAMED))
            else:
                members.append(self.random.choice(LETTERS))
        return self.random.choice(["[", "[", "[^"]) + "".join(members) + "]"
