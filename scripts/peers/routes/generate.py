#!/usr/bin/env python3
"""Writes the route files of `scripts/bench routes`: patterns, and URLs with what they must match.

  generate.py COUNT KIND FILE      KIND: strict, overlap or flat

A pattern is of literals, `:name` (one component) and `*name` (the rest, last). A line of the file is
`P<tab>index<tab>pattern` or `U<tab>url<tab>index<tab>name=value&…`; index -1 means that nothing may
match. Every tenth URL or so is a miss.

strict:  /area/module/resource/…; no literal beside a parameter
overlap: the same with /new beside /:id, and /:id/*rest beside /:id/edit
flat:    strict without areas, so that the root has thousands of children

The same arguments give the same bytes anywhere. Before it is written a file is checked with a matcher
that only has to be right.
"""
import math, sys

SEED, URL_COUNT, MISSES_IN_TEN_THOUSAND = 1, 10_000, 1_000
SYLLABLES = [consonant + vowel for consonant in "bdklmnrst" for vowel in "aeiou"]
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-_"


class Random:
    """Knuth's MMIX generator, the upper 31 bits of each step."""

    def __init__(self, seed):
        self.state = seed
        self.step()

    def step(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        return self.state >> 33

    def below(self, bound):
        return self.step() % bound

    def among(self, choices):
        return choices[self.below(len(choices))]

    def word(self, syllables):
        return "".join(self.among(SYLLABLES) for _ in range(syllables))

    def value(self):
        length = 1 + self.below(12)
        return "".join(self.among(LETTERS) for _ in range(length)) + str(self.below(10))


def make_patterns(random, count, kind):
    areas = []
    while kind != "flat" and len(areas) < int(math.sqrt(count / 20)) + 1:
        name = random.word(2)
        if name not in areas:
            areas.append(name)
    patterns, module = [], 0
    while len(patterns) < count:
        root = f"/{random.word(2)}-{module}"
        if areas:
            root = f"/{areas[module % len(areas)]}{root}"
        module += 1
        taken = set()
        for _ in range(4):
            name = random.word(1 + random.below(3))
            while name in taken:
                name = random.word(3)
            taken.add(name)
            resource = f"{root}/{name}"
            inner, leaf = random.word(2), random.word(2)
            patterns += [resource, f"{resource}/:id", f"{resource}/:id/edit",
                         f"{resource}/:id/{inner}/:sid", f"{resource}/:id/{inner}/:sid/{leaf}"]
            if kind == "overlap":
                patterns += [f"{resource}/new", f"{resource}/:id/*rest"]
            if random.below(4) == 0:
                patterns.append(f"{resource}-files/*path")
    return patterns[:count]


def make_url(random, patterns):
    """A URL, the index of its pattern, its parameters."""
    index = random.below(len(patterns))
    parameters, parts = [], []
    for part in patterns[index].split("/")[1:]:
        if part[0] == ":":
            parameters.append((part[1:], random.value()))
            part = parameters[-1][1]
        elif part[0] == "*":
            rest = "/".join(random.value() for _ in range(1 + random.below(4)))
            if part == "*rest":  # longer than what stands beside it
                rest = "zz9/" * 4 + rest
            parameters.append((part[1:], rest))
            part = rest
        parts.append(part)
    url = "/" + "/".join(parts)
    if random.below(10_000) >= MISSES_IN_TEN_THOUSAND:
        return url, index, parameters
    miss = random.below(3)
    if miss == 0:
        return "/zz-unknown" + url, -1, []
    if miss == 1:
        return f"/{parts[0]}/zz-nope/{random.value()}", -1, []
    return f"/{parts[0]}zz", -1, []


def matcher(patterns):
    """Dictionaries in dictionaries; a literal before a parameter before a wildcard."""
    root = {}
    for index, pattern in enumerate(patterns):
        node = root
        for part in pattern.split("/")[1:]:
            node = node.setdefault(part[0] if part[0] in ":*" else "=" + part, {})
        assert "index" not in node, pattern
        node["index"] = index

    def find(node, parts):
        if not parts:
            return node.get("index", -1)
        for key in ("=" + parts[0], ":" if parts[0] else ""):
            found = find(node[key], parts[1:]) if key in node else -1
            if found >= 0:
                return found
        return node["*"]["index"] if "*" in node else -1

    return lambda url: find(root, url.split("/")[1:])


def main():
    count, kind, path = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    assert kind in ("strict", "overlap", "flat"), kind
    random = Random(SEED)
    patterns = make_patterns(random, count, kind)
    urls = [make_url(random, patterns) for _ in range(URL_COUNT)]
    match = matcher(patterns)
    with open(path, "w") as file:
        for index, pattern in enumerate(patterns):
            file.write(f"P\t{index}\t{pattern}\n")
        for url, index, parameters in urls:
            assert match(url) == index, url
            pairs = "&".join(f"{name}={value}" for name, value in parameters)
            file.write(f"U\t{url}\t{index}\t{pairs}\n")


main()
