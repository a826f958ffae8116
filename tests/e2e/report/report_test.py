#!/usr/bin/env python3
"""Pages of `daedalus profile --report` in headless Chromium (Debian: chromium chromium-driver python3-selenium): numbers,
sorting, zoom, keyboard, colours, print. Screenshots for the eye stay in build/nightly/report, with the vision transformer
that vit.py writes.

    report_test.py [--daedalus DAEDALUS] [--images FOLDER] [MODEL...]

--images: writes the pictures of docs/images"""
import argparse
import json
import pathlib
import subprocess
import sys

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

import vit
from browser import Browser
from looks import check_colours, check_print, percent

ROOT = pathlib.Path(__file__).resolve().parents[3]
WRITTEN = ROOT / "build/nightly/report"
NETWORKS = ROOT / "build/release/models/networks"
TRANSFORMER = WRITTEN / "deit_tiny.onnx"
MODELS = [ROOT / "examples/digits/digits.onnx", NETWORKS / "resnet18.onnx", NETWORKS / "mobilenet_v2.onnx", TRANSFORMER]
LEAST_CYCLES = 20  # of the timeline's window


def expected_rows(profile):
    """What the table says of each layer, in the words of the page's columns."""
    parts = profile["layers"] + ([{**profile["none"], "node": "(no layer)", "target": "", "macs": 0}]
                                 if profile["none"]["path_cycles"] else [])
    for index, part in enumerate(parts):
        row = {"#": str(index), "ONNX node": part["node"], "target": part["target"], "products": f"{part['macs']:,}",
               "on the path": f"{part['path_cycles']:,}", "share": percent(part["path_cycles"], profile["cycles"])}
        row["utilisation"] = percent(part["utilisation"], 1) if "utilisation" in part else "-"
        for module in ("load", "gemm", "vector", "store"):
            row[f"{module} busy"] = f"{part['modules'].get(module, {}).get('busy', 0):,}"
        for key, title in (("bound_cycles", "bound"), ("read_bytes", "read bytes"), ("written_bytes", "written bytes")):
            if any(key in layer for layer in profile["layers"]):
                row[title] = f"{part[key]:,}" if key in part else "-"
        yield row


def table_of(browser):
    """The rows of the page's table, as they stand."""
    titles, rows = browser.script(
        "const table = document.getElementById('table');"
        "return [[...table.tHead.rows[0].cells].map((cell) => cell.textContent),"
        "[...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent))]")
    return [dict(zip(titles, row)) for row in rows]


def check_table(browser, profile):
    found, expected = table_of(browser), list(expected_rows(profile))
    assert len(found) == len(expected), f"{len(found)} rows, expected {len(expected)}"
    for row, should in zip(found, expected):
        wrong = {title: (row.get(title), text) for title, text in should.items() if row.get(title) != text}
        assert not wrong, f"{should['ONNX node']}: {wrong}"


def check_occupancy(browser, profile):
    """Each part of each scratchpad is as high as its bytes, and as long as its cycles; the table has the peaks."""
    rows = browser.script("return [...document.querySelectorAll('#scratchpads tbody tr')]"
                          ".map((row) => [...row.cells].map((cell) => cell.textContent))")
    expected = [[scope.upper(), f"{one['capacity_bytes']:,}", f"{one['peak_bytes']:,}", percent(one["peak_bytes"], one["capacity_bytes"])]
                for scope, one in profile["occupancy"].items()]
    assert rows == expected, f"the scratchpads' table says {rows}, expected {expected}"
    bars = browser.script("return [...document.querySelectorAll('#occupancy .bars path')].map((path) => ({...path.__data__.datum,"
                          "width: path.__data__.width, height: path.__data__.height}))")
    cycles, should = profile["cycles"], []
    for scope, one in profile["occupancy"].items():
        means = one["mean_bytes"]
        should += [(scope, i * cycles // len(means), (i + 1) * cycles // len(means), means[i]) for i in range(len(means)) if means[i]]
    found = [(bar["scope"], bar["first"], bar["end"], bar["bytes"]) for bar in bars]
    assert found == should, f"the scratchpads' chart has {found[:5]}, expected {should[:5]}"
    by_cycles = [bar["width"] / (bar["end"] - bar["first"]) for bar in bars]
    by_share = [bar["height"] / (bar["bytes"] / profile["occupancy"][bar["scope"]]["capacity_bytes"]) for bar in bars]
    for size, scales in (("wide", by_cycles), ("high", by_share)):
        assert max(scales) - min(scales) < 1e-6 * max(scales), f"bars are not as {size} as they should be"


def check_graph(browser, profile):
    """A node a layer with its figures, an arrow for each one that it reads from, and no node upon another."""
    layers = profile["layers"]
    nodes = browser.script("return [...document.querySelectorAll('#graph .node')].map((node) => ({title: node.querySelector('title').textContent,"
                           "lines: [...node.querySelectorAll('tspan')].map((line) => line.textContent), stroke: getComputedStyle(node.querySelector('rect')).stroke,"
                           "box: node.querySelector('rect').getBBox(), text: node.querySelector('text').getBBox()}))")
    assert [node["title"] for node in nodes] == [f"{layer['node']}, on {layer['target']}" for layer in layers], "the graph has other layers"
    for node, layer in zip(nodes, layers):
        if "read_bytes" in layer:
            figures = f"{layer['path_cycles']:,} cycles, {percent(layer['path_cycles'], profile['cycles'])}"
            assert node["lines"][-1] == figures, f"{layer['node']} says {node['lines']}, expected {figures}"
        assert len(node["lines"]) >= 1 + layer["node"].count(" + "), f"{layer['node']} says {node['lines']}"
        box, text = node["box"], node["text"]
        assert box["x"] <= text["x"] and text["x"] + text["width"] <= box["x"] + box["width"], f"{layer['node']} is wider than its box"
    assert len({node["stroke"] for node in nodes}) == len({layer["target"] for layer in layers}), "targets share a colour"
    edges = browser.script("return [...document.querySelectorAll('#graph [data-edge]')].map((edge) => edge.dataset.edge)")
    expected = sorted(f"{writer} {reader}" for reader, layer in enumerate(layers) for writer in layer.get("reads_from", []))
    assert sorted(edges) == expected, f"the arrows are {edges}, expected {expected}"
    for at, first in enumerate(nodes):
        for other in nodes[at + 1:]:
            a, b = first["box"], other["box"]
            assert (a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"] or a["y"] + a["height"] <= b["y"]
                    or b["y"] + b["height"] <= a["y"]), f"{first['title']} lies upon {other['title']}"


def number(text):
    text = text.replace(",", "").rstrip("%")
    return float(text) if text != "-" else None


def check_sorting(browser):
    for title, order in (("on the path", -1), ("gemm busy", -1), ("utilisation", -1), ("#", 1)):
        header = next(header for header in browser.all("#table thead th") if header.text.split(" \u2191")[0].strip() == title)
        for direction in (order, -order):
            header.find_element("tag name", "button").click()
            values = [value for row in table_of(browser) if (value := number(row[title])) is not None]
            assert values == sorted(values, reverse=direction < 0), f"{title}: {values}"
            said = header.get_attribute("aria-sort")
            assert said == ("ascending" if direction > 0 else "descending"), f"{title}: aria-sort is {said}"
        sorted_now = browser.all("#table th[aria-sort]:not([aria-sort=none])")
        assert len(sorted_now) == 1, f"{len(sorted_now)} columns say that they are sorted"


def window_of(browser):
    """The cycles that the timeline shows."""
    browser.settle()
    words = browser.one("#window").text.split()
    return int(words[1].replace(",", "")), int(words[3].replace(",", ""))


def length_of(browser):
    first, end = window_of(browser)
    return end - first


def check_zoom(browser, profile):
    whole = profile["cycles"]
    assert window_of(browser) == (0, whole), f"the timeline begins with {window_of(browser)}"
    for _ in range(30):
        browser.one("[data-zoom=in]").click()
    assert LEAST_CYCLES <= length_of(browser) <= LEAST_CYCLES + 2, f"zoomed in to {window_of(browser)}"
    browser.one("[data-zoom=left]").click()
    before = window_of(browser)
    browser.one("[data-zoom=right]").click()
    assert window_of(browser)[0] > before[0], "the button for later does not move"
    browser.one("[data-zoom=all]").click()
    assert window_of(browser) == (0, whole), "the button for the whole run does not show it"


def check_mouse(browser, profile):
    """The wheel zooms around the cycle under it; dragging keeps the length; the bus chart chooses."""
    chart = browser.one("#timeline canvas")
    browser.script("arguments[0].scrollIntoView({block: 'center'})", chart)
    browser.script("const box = arguments[0].getBoundingClientRect();"
                   "arguments[0].dispatchEvent(new WheelEvent('wheel', {deltaY: -500, ctrlKey: true, bubbles: true, cancelable: true,"
                   "clientX: box.x + box.width / 2, clientY: box.y + box.height / 2}))", chart)
    first, end = window_of(browser)
    assert end - first < profile["cycles"] * 0.6, f"the wheel left {first} to {end}"
    ActionChains(browser.driver).move_to_element(chart).click_and_hold().move_by_offset(-150, 0).release().perform()
    moved, moved_end = window_of(browser)
    assert moved > first and abs((moved_end - moved) - (end - first)) <= 2, f"dragged from {first} to {moved}"
    bus = browser.one("#bus svg")
    browser.script("arguments[0].scrollIntoView({block: 'center'})", bus)
    ActionChains(browser.driver).move_to_element(bus).click_and_hold().move_by_offset(200, 0).release().perform()
    chosen, chosen_end = window_of(browser)
    assert abs(chosen / profile["cycles"] - 0.5) < 0.05 and chosen < chosen_end < profile["cycles"], f"chose {chosen} to {chosen_end}"
    browser.one("[data-zoom=all]").click()


def check_instructions(browser, profile):
    """A number leads to the instruction's cycles; a click in the middle names it."""
    program = profile["programs"][0]
    index = next(i for i, instruction in enumerate(program["instructions"]) if instruction["module"] == "gemm")
    instruction = program["instructions"][index]
    field = browser.one("#go-instruction")
    field.clear()
    field.send_keys(str(index), Keys.ENTER)
    first, end = window_of(browser)
    assert first <= instruction["start"] and instruction["end"] <= end, f"instruction {index} is outside of {first} to {end}"
    most = 3 * max(LEAST_CYCLES, instruction["end"] - instruction["start"] + 1) + 2
    assert end - first <= most, f"instruction {index} is lost in {first} to {end}"
    assert instruction["text"] in browser.one("#instruction").text, browser.one("#instruction").text
    place = browser.script("return document.querySelector('#timeline canvas').getBoundingClientRect().toJSON()")
    row = 34 + 216 * (4 + 0.5) / 7  # of GEMM, below the legend
    browser.script("arguments[0].scrollIntoView({block: 'center'})", browser.one("#timeline canvas"))
    ActionChains(browser.driver).move_to_element_with_offset(
        browser.one("#timeline canvas"), 20, int(row - place["height"] / 2)).click().perform()
    said = browser.one("#instruction").text
    assert "instruction" in said and "gemm" in said, f"a click says '{said}'"
    field.clear()
    field.send_keys("99999999", Keys.ENTER)
    assert "There is no instruction 99999999; expected 0 to " in browser.one("#instruction").text
    layer = Select(browser.one("#go-layer"))
    layer.select_by_index(1)
    number_of = int(layer.options[1].get_attribute("value"))
    own = [one for one in program["instructions"] if one.get("layer") == number_of]
    first, end = window_of(browser)
    assert first <= min(one["start"] for one in own) and max(one["end"] for one in own) <= end, "the layer is outside"
    browser.one("[data-zoom=all]").click()


def check_keyboard(browser, profile):
    """Tab reaches everything that does something, in order and visibly; keys sort and zoom."""
    browser.script("document.body.tabIndex = -1; document.body.focus(); scrollTo(0, 0)")
    seen = []
    for _ in range(60):
        ActionChains(browser.driver).send_keys(Keys.TAB).perform()
        name, outline = browser.script(
            "const at = document.activeElement, style = getComputedStyle(at);"
            "return [at === document.body ? null : at.id || at.dataset.zoom || at.getAttribute('aria-labelledby') || at.className || at.textContent, style.outlineStyle + ' ' + style.outlineWidth]")
        if name is None or name in seen:  # behind the last one
            break
        assert outline.startswith("solid") and outline != "solid 0px", f"{name} has no visible focus: {outline}"
        seen.append(name)
    order = ["skip", "theme", "in", "out", "left", "right", "all", "go-layer", "go-instruction", "timeline"]
    assert seen[:len(order)] == order, f"Tab visits {seen}"
    assert "on the path" in seen and "gemm busy" in seen, f"Tab visits {seen}"
    chart = browser.one("#timeline")
    chart.send_keys("+")
    assert length_of(browser) <= profile["cycles"] / 2 + 2, "the key + does not zoom in"
    before = window_of(browser)
    chart.send_keys(Keys.ARROW_RIGHT)
    assert window_of(browser)[0] > before[0], "the arrow does not move"
    chart.send_keys("0")
    assert window_of(browser) == (0, profile["cycles"]), "the key 0 does not show the whole run"
    button = browser.one("#table thead th:nth-child(4) button")
    button.send_keys(Keys.ENTER)
    assert browser.one("#table thead th:nth-child(4)").get_attribute("aria-sort") == "descending", "Enter does not sort"
    browser.one("#table thead th:nth-child(1) button").send_keys(Keys.SPACE)


def check_comparison(browser, daedalus, folder):
    """digits on two machines: every number of the table, and the chart."""
    before, after, report = folder / "before.json", folder / "after.json", folder / "compared.html"
    for machine, path in (("default", before), ("large", after)):
        subprocess.run([daedalus, "profile", MODELS[0], "--machine", machine, "-o", path], stdout=subprocess.DEVNULL, check=True)
    subprocess.run([daedalus, "profile", "--compare", before, after, "--report", report], stdout=subprocess.DEVNULL, check=True)
    browser.open(report)
    a, b = (json.loads(path.read_text(encoding="utf-8")) for path in (before, after))
    expected = []
    for first, second in zip([*a["layers"], {**a["none"], "node": "(no layer)"}], [*b["layers"], {**b["none"], "node": "(no layer)"}]):
        assert first["node"] == second["node"]
        own, other = first["path_cycles"], second["path_cycles"]
        sign = "+" if other > own else ""
        expected.append([first["node"], f"{own:,}", f"{other:,}", f"{sign}{other - own:,}", percent(other, own)])
    found = browser.script("return [...document.getElementById('comparison').tBodies[0].rows]"
                           ".map((row) => [...row.cells].map((cell) => cell.textContent))")
    assert found == expected, f"the comparison says {found}, expected {expected}"
    bars = browser.script("return document.querySelectorAll('#compare .mark-rect.role-mark path').length")
    assert bars == sum(1 for row in expected for cell in row[1:3] if cell != "0"), f"{bars} bars"
    assert not browser.one("#timeline-section").is_displayed(), "a profile without spans has a timeline"
    found = browser.contrasts()
    assert not found["bad"], f"compared: too little contrast: {found['bad'][:5]}"
    browser.screenshot(folder / "compared.png", "body")
    print("digits on two machines: all as their JSON says", flush=True)


def named(model):
    """As a page should name it: from the root of the sources."""
    path = model.resolve()
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def profile_of(daedalus, model, folder):
    report, written = folder / f"{model.stem}.html", folder / f"{model.stem}.json"
    subprocess.run([daedalus.resolve(), "profile", named(model), "--what-if", "--instructions", "-o", written, "--report", report],
                   stdout=subprocess.DEVNULL, check=True, cwd=ROOT)
    return report, json.loads(written.read_text(encoding="utf-8"))


def write_timeline(browser, path):
    """Of a layer."""
    Select(browser.one("#go-layer")).select_by_index(4)
    browser.script("document.activeElement.blur()")
    browser.settle()
    browser.screenshot(path, "#timeline")


def write_parts(browser, path):
    """The scratchpads, and below them the graph, which begins with the first attention."""
    browser.script("for (const part of ['breakdown', 'roofline', 'traffic']) document.getElementById(part + '-section').hidden = true;"
                   "const region = document.querySelector('.graph'), boxes = [...region.querySelectorAll('.node')];"
                   "const first = boxes.find((node) => node.textContent.startsWith('block0.attn.qkv')).getBoundingClientRect();"
                   "region.scrollTop = first.top - region.getBoundingClientRect().top - 8;"
                   "region.scrollLeft = first.left + first.width / 2 - region.clientWidth / 2")
    browser.settle()
    browser.screenshot(path, "#scratchpads-title, #scratchpads, #graph-section")


def write_images(browser, report, images):
    """The window as it opens, and parts of it, for docs/profile.md and docs/tutorials/read_a_profile.md."""
    browser.open(report)
    browser.screenshot(images / f"report_{report.stem}.png")
    if report.stem == "mobilenet_v2":
        write_timeline(browser, images / f"report_{report.stem}_timeline.png")
    if report.stem == TRANSFORMER.stem:
        write_parts(browser, images / f"report_{report.stem}_parts.png")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daedalus", type=pathlib.Path, default=ROOT / "build/release/bin/daedalus")
    parser.add_argument("--images", type=pathlib.Path)
    parser.add_argument("models", nargs="*", type=pathlib.Path, default=MODELS)
    options = parser.parse_args()
    folder = WRITTEN
    folder.mkdir(parents=True, exist_ok=True)
    if TRANSFORMER in options.models:
        vit.write(TRANSFORMER)
    browser = Browser()
    try:
        for model in options.models:
            report, profile = profile_of(options.daedalus, model, folder)
            browser.open(report)
            check_table(browser, profile)
            check_occupancy(browser, profile)
            check_graph(browser, profile)
            check_sorting(browser)
            check_zoom(browser, profile)
            check_mouse(browser, profile)
            check_instructions(browser, profile)
            check_keyboard(browser, profile)
            check_colours(browser, model.stem, folder)
            check_print(browser, model.stem, folder)
            if options.images and model.stem != "digits":
                write_images(browser, report, options.images)
            assert not (complaints := browser.complaints()), f"{model.stem}: the browser complains: {complaints}"
            assert not (requests := browser.requests()), f"{model.stem}: the page asks for {requests}"
            print(f"{model.stem}: {report.stat().st_size} bytes, {len(profile['layers'])} layers, all as its JSON says", flush=True)
        check_comparison(browser, options.daedalus, folder)
    finally:
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
