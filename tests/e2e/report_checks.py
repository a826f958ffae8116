#!/usr/bin/env python3
"""What every page of `daedalus profile --report` holds, without a browser.

    report_checks.py REPORT.html PROFILE.json   the JSON of the same run, with --instructions: byte for byte; spans that add
                                                up to it; nothing that a browser would fetch
    report_checks.py --compare REPORT.html BEFORE.json AFTER.json   both profiles, and pairs of layers of one name"""
import base64
import html.parser
import json
import pathlib
import re
import sys
import zlib

MOST_BYTES = 5_000_000


class Page(html.parser.HTMLParser):
    """The texts of elements with an id, every reference to something else, and the sentences."""

    def __init__(self, text):
        super().__init__()
        self.texts, self.references, self.inside = {}, [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.references += [value for name, value in attributes.items() if name in ("src", "href", "action", "data")]
        if tag in ("script", "ol"):
            self.inside = attributes.get("id")

    def handle_endtag(self, tag):
        if tag in ("script", "ol"):
            self.inside = None

    def handle_data(self, data):
        if self.inside:
            self.texts[self.inside] = self.texts.get(self.inside, "") + data


def unpack(page, name):
    return zlib.decompress(base64.b64decode(page.texts[name], validate=True))


def check_is_alone(text, page):
    """References lead into the page; the policy of the page lets scripts load nothing."""
    outside = [reference for reference in page.references if not reference.startswith("#")]
    assert not outside, f"refers to {outside}"
    assert "default-src 'none'" in text, "has no policy that forbids to load"
    assert not re.search(r"@import|url\(", text.split("</style>")[0]), "its style loads something"
    assert "@@" not in text, "a mark of the template is left"


def check_spans(profile, facts):
    """The spans of a module add up to its cycles of each class but idle, and do not overlap."""
    sums = {}
    for program in facts["spans"]:
        for module, columns in program.items():
            assert all(gap >= 0 for gap in columns["gaps"]), f"{module}: spans overlap"
            for length, code in zip(columns["lengths"], columns["classes"]):
                key = module, facts["classes"][code]
                sums[key] = sums.get(key, 0) + length
    counted = {(module, name): cycles for module, classes in profile["modules"].items()
               for name, cycles in classes.items() if name != "idle"}
    assert sums == counted, f"spans {sums}, counted {counted}"


def check_comparison(report, before, after):
    text = pathlib.Path(report).read_text(encoding="utf-8")
    page = Page(text)
    check_is_alone(text, page)
    both = {}
    for name, path in (("before-data", before), ("profile-data", after)):
        both[name] = json.loads(unpack(page, name))
        assert both[name] == json.loads(pathlib.Path(path).read_bytes()), f"{name} is not {path}"
    first, second = (both[name]["layers"] for name in ("before-data", "profile-data"))
    pairs = json.loads(unpack(page, "facts-data"))["pairs"]
    for at, layers in ((0, first), (1, second)):
        found = sorted(pair[at] for pair in pairs if pair[at] is not None)
        assert found == list(range(len(layers))), f"pairs have the layers {found}"
    assert all(first[a]["node"] == second[b]["node"] for a, b in pairs if None not in (a, b)), "pairs of other names"


def main():
    if sys.argv[1] == "--compare":
        check_comparison(*sys.argv[2:])
        return
    report, written = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).read_bytes()
    text = report.read_text(encoding="utf-8")
    page = Page(text)
    check_is_alone(text, page)
    assert len(text) < MOST_BYTES, f"{len(text)} bytes"
    assert "before-data" not in page.texts, "a profile stands beside none"
    assert unpack(page, "profile-data") == written, "the page's profile is not the JSON of the run"
    profile, facts = json.loads(written), json.loads(unpack(page, "facts-data"))
    if profile["cycles"]:
        check_spans(profile, facts)
        assert 0 < facts["utilisation"] <= 1, f"utilisation {facts['utilisation']}"
    sentences = [line for line in page.texts["findings"].splitlines() if line]
    assert len(sentences) <= 3 and bool(sentences) == bool(profile["cycles"]), f"the sentences {sentences}"


main()
