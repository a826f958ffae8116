#!/usr/bin/env python3
"""What every page of `daedalus profile --report` holds, without a browser.

    report_checks.py REPORT.html PROFILE.json   the JSON of the same run, with --instructions: byte for byte; spans that add
                                                up to it; nothing that a browser would fetch"""
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


def main():
    report, written = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).read_bytes()
    text = report.read_text(encoding="utf-8")
    page = Page(text)
    check_is_alone(text, page)
    assert len(text) < MOST_BYTES, f"{len(text)} bytes"
    assert unpack(page, "profile-data") == written, "the page's profile is not the JSON of the run"
    profile, facts = json.loads(written), json.loads(unpack(page, "facts-data"))
    if profile["cycles"]:
        check_spans(profile, facts)
        assert 0 < facts["utilisation"] <= 1, f"utilisation {facts['utilisation']}"
    sentences = [line for line in page.texts["findings"].splitlines() if line]
    assert len(sentences) <= 3 and bool(sentences) == bool(profile["cycles"]), f"the sentences {sentences}"


main()
