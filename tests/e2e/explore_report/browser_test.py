#!/usr/bin/env python3
"""Pages of `daedalus explore --report` in headless Chromium (Debian: chromium chromium-driver python3-selenium): numbers,
clicks, ranges of axes, keyboard, copies, comparison, colours, print. Screenshots for the eye stay in build/nightly/report.

    browser_test.py [--daedalus DAEDALUS] [--images FOLDER] [SWEEP...]

--images: writes the picture of docs/images"""
import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests/e2e/report"), str(ROOT / "tests/e2e/explore_report")]

from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402

import page_data  # noqa: E402
from browser import Browser  # noqa: E402
from looks import check_colours, check_print, percent  # noqa: E402
from sweep_page import Page, axis_places, drag, expect_kept, figure, kept_by, pasted  # noqa: E402

WRITTEN = ROOT / "build/nightly/report"
NETWORKS = ROOT / "build/release/models/networks"
DIGITS = ROOT / "examples/digits/digits.onnx"
DERIVED = 'derive: {inp_bytes: 2048 * n, out_bytes: 2048 * n, fetch_burst: "min(4, bus_bytes / 4)"}\nwhere: [bus_bytes <= n]\n'
SWEEPS = {  # the space, the networks, further options
    "explore_digits": ("bases: [default, vta]\nkeys: {n: [8, 16], bus_bytes: [8, 16], read_latency: {from: 16, to: 64, times: 4}}\n" + DERIVED,
                       [DIGITS], []),
    "explore_two": ("keys: {n: [8, 16, 32], bus_bytes: [8, 16, 32], read_latency: {from: 16, to: 256, step: 30}, queue_depth: [4, 8],"
                    " outstanding_reads: [8, 16, 32], wgt_bytes: {from: 65536, to: 262144, times: 2}}\n" + DERIVED,
                    [DIGITS, NETWORKS / "mlp.onnx"], ["--objectives", "cycles,area"]),
    "explore_resnet18": ("keys: {n: [8, 16, 32], bus_bytes: [8, 16, 32], read_latency: [16, 64, 256], outstanding_reads: [8, 32],"
                         " wgt_bytes: {from: 65536, to: 262144, times: 2}}\n" + DERIVED,
                         [NETWORKS / "resnet18.onnx"], ["--objectives", "cycles,area"]),
}
MOST_BYTES = 5_000_000  # of a page, with 972 machines and two networks


def check_front_table(page):
    expected = [[str(page.ids[index]), *(figure(column[index]) for column in page.measures.values()), page.points["machine"][index]]
                for index in page.front]
    assert page.table("front") == expected, f"the front is {page.table('front')[:2]}, expected {expected[:2]}"
    header = page.browser.one("#front thead th:nth-child(2) button")
    header.click()
    values = [float(row[1].replace(",", "")) for row in page.table("front")]
    assert values == sorted(values, reverse=True), f"the header does not sort: {values}"


def check_scatter(page):
    """Dots lie where their values are, on any two axes; a click chooses."""
    browser = page.browser
    for across, up in (("multipliers", "cycles"), ("area", "cycles"), ("energy", "dram_bytes")):
        Select(browser.one("#across")).select_by_visible_text(across)
        Select(browser.one("#up")).select_by_visible_text(up)
        browser.settle()
        dots = page.dots()
        assert sorted(dot["index"] for dot in dots) == list(range(len(page.ids))), f"{len(dots)} dots"
        for dot in dots:
            assert (dot["x"], dot["y"]) == (page.measures[across][dot["index"]], page.measures[up][dot["index"]]), dot
            assert dot["isFront"] == bool(page.points["on_front"][dot["index"]]), dot
        by_value = sorted(dots, key=lambda dot: dot["x"])
        assert all(a["left"] <= b["left"] + 1e-6 for a, b in zip(by_value, by_value[1:])), "dots are not in the order of their values"
        places = {(dot["x"], dot["y"]) for dot in dots}
        line = [place for place in places if not any(other != place and other[0] <= place[0] and other[1] <= place[1] for other in places)]
        assert page.text("#shown") == f"{len(dots):,} machines, {len(line):,} on the line", page.text("#shown")
        assert browser.script("return document.querySelector('#scatter .edge path').getAttribute('d')"), "the line is not drawn"
    target = max(dots, key=lambda dot: dot["top"])
    place = browser.all("#scatter .points path")[dots.index(target)]
    page.view_of(place)
    ActionChains(browser.driver).move_to_element(place).click().perform()
    index = page.chosen()
    assert abs(page.measures["energy"][index] / target["x"] - 1) < 0.02, f"a click on {target} chose point {page.ids[index]}"
    assert browser.script("return location.hash") == f"#point={page.ids[index]}"
    ActionChains(browser.driver).move_to_element(browser.one("h1")).perform()


def check_point(page):
    """Costs, machine file and neighbours of some points, chosen by number."""
    browser = page.browser
    for index in {0, len(page.ids) // 2, len(page.ids) - 1, *page.front[:2]}:
        field = browser.one("#go-point")
        field.clear()
        field.send_keys(str(page.ids[index]), Keys.ENTER)
        assert page.chosen() == index
        file = "".join(page.data["lines"][line] + "\n" for line in page.points["files"][index])
        assert page.text("#machine-file") == file, page.text("#machine-file")
        expected = []
        for network, costs in zip(page.data["networks"], page.points["costs"]):
            cycles, bound = costs["cycles"][index], costs["bound_cycles"][index]
            expected.append([network, f"{cycles:,}", f"{bound:,} ({percent(bound, cycles)})", f"{costs['dram_bytes'][index]:,}",
                             figure(costs["estimated_pj"][index]), f"{costs['host_layers'][index]:,}"])
        assert page.table("costs") == expected, page.table("costs")
        check_neighbours(page, index)
    field = browser.one("#go-point")
    field.clear()
    field.send_keys("99999999", Keys.ENTER)
    said = field.get_property("validationMessage")
    assert said == "'99999999' is no point that is compared; the table of the front has some", said
    field.clear()
    field.send_keys(str(page.ids[0]), Keys.ENTER)


def check_neighbours(page, index):
    place = {key["name"]: page_data.setting(page.points["machine"][index], key["name"]) for key in page.data["keys"]}
    expected = []
    for key in page.data["keys"]:
        for step in (-1, 1):
            at = key["values"].index(place[key["name"]]) + step
            if not 0 <= at < len(key["values"]):
                continue
            wanted = {**place, key["name"]: key["values"][at]}
            for other, machine in enumerate(page.points["machine"]):
                if all(page_data.setting(machine, name) == value for name, value in wanted.items()):
                    expected.append([f"{key['name']} {place[key['name']]} to {key['values'][at]}", str(page.ids[other])])
    found = page.table("neighbours")
    assert [row[:2] for row in found] == expected, f"neighbours of {page.points['machine'][index]}: {found}, expected {expected}"
    for row in found:
        other = page.ids.index(int(row[1]))
        for text, column in zip(row[2:], page.measures.values()):
            ratio = 100 * (column[other] / column[index] - 1)
            assert abs(float(text.rstrip("%")) - ratio) < 0.0501, f"{row} says {text}, expected {ratio}"


def check_links(page):
    """A link chooses, so does the address."""
    browser = page.browser
    link = browser.one("#front tbody tr:last-child a")
    page.view_of(link)
    point = int(link.text)
    link.click()
    assert page.ids[page.chosen()] == point, "the link of the table does not choose"
    assert browser.one("#front tr.current a").text == str(point), "the table does not mark the chosen point"
    first = page.ids[page.front[0]]
    browser.script("location.hash = '#point=' + arguments[0]", first)
    assert page.ids[page.chosen()] == first, "the address does not choose"


def check_copies(page):
    browser = page.browser
    for name, said in (("machine-name", "The name is copied"), ("machine-file", "The machine file is copied")):
        button = browser.one(f"[data-copy={name}]")
        page.view_of(button)
        button.click()
        browser.settle()
        assert page.text("#copied").startswith(said), page.text("#copied")
        assert pasted(browser) == page.text("#" + name), f"the copy of {name} is {pasted(browser)!r}"


def check_ranges(page):
    """Ranges by mouse and by keys; several together; a click lets all in again."""
    browser = page.browser
    names = list(axis_places(page))
    assert len(names) == len(set(names)) and {"n", "bus_bytes", "cycles"} <= set(names), f"the axes are {names}"
    everything = list(range(len(page.ids)))
    expect_kept(page, everything, "at first")
    drag(page, "n", -0.02, 0.2)
    smallest = next(key for key in page.data["keys"] if key["name"] == "n")["values"][0]
    small = kept_by(page, "n", [smallest])
    assert 0 < len(small) < len(everything)
    expect_kept(page, small, "after a drag along n")
    assert browser.one("#brush-axis").get_attribute("value") == "n" and browser.one("#brush-to").get_attribute("value") == smallest
    latencies = next(key for key in page.data["keys"] if key["name"] == "read_latency")["values"]
    largest = latencies[-1]
    drag(page, "read_latency", 1.02, 1 - 0.4 / (len(latencies) - 1))
    expect_kept(page, sorted(set(small) & set(kept_by(page, "read_latency", [largest]))), "after drags along two axes")
    drag(page, "n", 0.5, 0.5)
    expect_kept(page, kept_by(page, "read_latency", [largest]), "after a click on n")
    browser.one("#brush-clear").click()
    expect_kept(page, everything, "with all kept")
    check_range_fields(page, smallest)


def check_range_fields(page, smallest):
    browser = page.browser
    Select(browser.one("#brush-axis")).select_by_visible_text("n")
    field = browser.one("#brush-to")
    field.clear()
    field.send_keys(smallest, Keys.ENTER)
    expect_kept(page, kept_by(page, "n", [smallest]), "by the fields of n")
    field.clear()
    field.send_keys("17", Keys.ENTER)
    said = field.get_property("validationMessage")
    assert said.startswith("'17' is no value of n; expected one of 8, 16"), said
    browser.one("#brush-clear").click()
    Select(browser.one("#brush-axis")).select_by_visible_text("cycles")
    middle = sorted(page.measures["cycles"])[len(page.ids) // 2]
    field.clear()
    field.send_keys(figure(middle), Keys.ENTER)
    expect_kept(page, [index for index, cycles in enumerate(page.measures["cycles"]) if cycles <= int(middle + 0.5)], "by the fields of cycles")
    field.clear()
    field.send_keys("1", Keys.ENTER)
    expect_kept(page, [], "below all cycles")
    field.clear()
    field.send_keys("1e15", Keys.ENTER)
    expect_kept(page, list(range(len(page.ids))), "above all cycles")
    field.clear()
    field.send_keys("many", Keys.ENTER)
    assert field.get_property("validationMessage") == "'many' is no value of cycles; expected a number"
    browser.one("#brush-clear").click()
    expect_kept(page, list(range(len(page.ids))), "with all kept again")


def check_comparison(page):
    """Objectives of two points, and each layer of two profiles."""
    browser = page.browser
    first, second = (page.ids.index(int(point)) for point in (list(page.profiles)[0], list(page.profiles)[-1]))
    browser.script("location.hash = '#point=' + arguments[0]", page.ids[first])
    Select(browser.one("#other")).select_by_value(str(page.ids[second]))
    assert page.chosen() == first
    for at, network in enumerate(page.data["networks"]):
        if len(page.data["networks"]) > 1:
            Select(browser.one("#network")).select_by_visible_text(network)
            browser.settle()
        for (name, column), row in zip(page.measures.items(), page.table("versus"), strict=True):
            assert row[:3] == [name, figure(column[first]), figure(column[second])] and row[4] == percent(column[second], column[first]), row
        a, b = (page.profiles[str(page.ids[index])][at] for index in (first, second))
        assert [layer["node"] for layer in a["layers"]] == [layer["node"] for layer in b["layers"]], "the test expects the same layers"
        expected = []
        for one, other in zip([*a["layers"], {**a["none"], "node": "(no layer)"}], [*b["layers"], {**b["none"], "node": "(no layer)"}]):
            own, others = one["path_cycles"], other["path_cycles"]
            expected.append([one["node"], f"{own:,}", f"{others:,}", f"{'+' if others > own else ''}{others - own:,}",
                             percent(others, own), one.get("limited_by", "-"), other.get("limited_by", "-")])
        assert page.table("layers") == expected, f"{page.table('layers')[:3]}, expected {expected[:3]}"
        bars = browser.script("return document.querySelectorAll('#compare .mark-rect.role-mark path').length")
        assert bars == sum(1 for row in expected for cell in row[1:3] if cell != "0"), f"{bars} bars"
    unprofiled = next((index for index in range(len(page.ids)) if str(page.ids[index]) not in page.profiles), None)
    if unprofiled is not None:
        browser.script("location.hash = '#point=' + arguments[0]", page.ids[unprofiled])
        browser.settle()
        assert not browser.one("#layers-part").is_displayed(), "layers of a point without a profile"
        assert f"Point {page.ids[unprofiled]} has no profile here" in page.text("#compare-note"), page.text("#compare-note")
        browser.script("location.hash = '#point=' + arguments[0]", page.ids[first])
        browser.settle()


def check_pairs(page):
    """Layers of other nodes on either side stand alone, each node once, in the order of both."""
    sides = [[{"node": node, "macs": 1, "path_cycles": cycles} for cycles, node in enumerate(nodes, 1)] for nodes in ("abcad", "xbaay")]
    found = page.browser.script("return pairLayers(...arguments).map(({node, before, after}) => [node, before ?? 0, after ?? 0])", *sides)
    expected = [["a", 1, 3], ["b", 2, 2], ["c", 3, 0], ["a", 4, 4], ["d", 5, 0], ["x", 0, 1], ["y", 0, 5]]
    assert sorted(found) == sorted(expected), f"the pairs are {found}, expected {expected}"
    assert [node for node, before, _ in found if before] == list("abcad"), f"the order is {found}"


def check_changes(page):
    """What the critical path says of a point."""
    point = next(point for point, networks in page.profiles.items() if "what_if" in networks[0])
    page.browser.script("location.hash = '#point=' + arguments[0]", point)
    page.browser.settle()
    expected = []
    for network, profile in zip(page.data["networks"], page.profiles[point]):
        for row in profile["what_if"]:
            cells = [f"{row[key]:,}" if key in row else "-" for key in ("estimated_cycles", "measured_cycles")]
            if cells != ["-", "-"]:
                name = (network + ": " if len(page.data["networks"]) > 1 else "") + row["change"]
                expected.append([name, *cells, percent(row["measured_cycles"], profile["cycles"]) if "measured_cycles" in row else "-"])
    assert expected and page.table("changes") == expected, page.table("changes")


def check_sensitivities(page):
    found = page.table("sensitivities")
    for row, entry in zip(found, page.data["sensitivities"], strict=True):
        step = f"{entry['from']} to {entry['to']}" if "from" in entry else "all"
        assert row[:3] == [entry["key"], step, f"{entry['pairs']:,}"], f"{row}, expected {entry}"
        for text, mean in zip(row[3:], entry.get("changes", len(page.data["objectives"]) * [None]), strict=True):
            ratio = None if mean is None else 100 * mean
            assert text == "-" if ratio is None else abs(float(text.rstrip("%")) - ratio) < 0.0501, f"{row}: {text}, expected {ratio}"
    bars = page.browser.script("return [...document.querySelectorAll('#sensitivity .changes path')].map((path) => path.__data__.datum)")
    names = [Select(page.browser.one(selector)).first_selected_option.text for selector in ("#across", "#up")]
    objectives = [objective["name"] for objective in page.data["objectives"]]
    expected = [(entry["key"], name, entry["changes"][objectives.index(name)]) for entry in page.data["sensitivities"]
                if "from" not in entry and entry["pairs"] for name in names]
    assert [(bar["key"], bar["name"], bar["change"]) for bar in bars] == expected, f"{bars}, expected {expected}"


def check_keyboard(page):
    """Tab reaches everything that does something, visibly; the arrows go along the front."""
    browser = page.browser
    browser.script("document.body.tabIndex = -1; document.body.focus(); scrollTo(0, 0)")
    seen = []
    for _ in range(80):
        ActionChains(browser.driver).send_keys(Keys.TAB).perform()
        name, outline = browser.script(
            "const at = document.activeElement, style = getComputedStyle(at);"
            "return [at === document.body ? null : at.id || at.dataset.copy || at.getAttribute('aria-labelledby') || at.className || at.textContent,"
            "style.outlineStyle + ' ' + style.outlineWidth]")
        if name is None or name == "skip" and seen:
            break
        assert outline.startswith("solid") and outline != "solid 0px", f"{name} has no visible focus: {outline}"
        seen.append(name)
    order = ["skip", "theme", "across", "up", "scatter", "brush-axis", "brush-from", "brush-to", "brush-clear", "go-point", "machine-name", "machine-file", "other"]
    assert list(dict.fromkeys(name for name in seen if name in order)) == order, f"Tab visits {seen}"
    chart, across = browser.one("#scatter"), browser.one("#across").get_attribute("value")
    chart.send_keys(Keys.HOME)
    along, visited = page.measures[across], [page.chosen()]
    assert along[visited[0]] == min(along[index] for index in page.front), "Home is not the left end of the front"
    for _ in page.front[1:]:
        chart.send_keys(Keys.ARROW_RIGHT)
        visited.append(page.chosen())
    assert sorted(visited) == page.front, f"the arrows visit {visited}, expected {page.front}"
    assert [along[index] for index in visited] == sorted(along[index] for index in visited)
    chart.send_keys(Keys.ARROW_LEFT)
    assert page.chosen() == (visited[-2] if len(visited) > 1 else visited[0])
    chart.send_keys(Keys.END)
    assert page.chosen() == visited[-1], "End is not the right end of the front"


def written(daedalus, name, folder, check=True):
    """The page of a sweep, and its database. Without `check` the sweep may find nothing."""
    text, networks, options = SWEEPS[name]
    space, database, report = folder / f"{name}.yaml", folder / f"{name}.db", folder / f"{name}.html"
    space.write_text(text, encoding="utf-8")
    for old in folder.glob(name + ".db*"):
        old.unlink()
    models = [network.relative_to(ROOT) for network in networks]
    subprocess.run([daedalus.resolve(), "explore", space.relative_to(ROOT), *models, "--db", database, "--report", report, *options],
                   stdout=subprocess.DEVNULL, check=check, cwd=ROOT)
    assert report.stat().st_size < MOST_BYTES, f"{report} has {report.stat().st_size} bytes"
    return report, database


def check_page(browser, name, report, database, folder):
    data, profiles = page_data.check(report, database)
    browser.open(report)
    page = Page(browser, data, profiles)
    for check in (check_front_table, check_scatter, check_point, check_links, check_copies, check_ranges, check_comparison, check_pairs, check_changes,
                  check_sensitivities, check_keyboard):
        check(page)
    check_colours(browser, name, folder)
    check_print(browser, name, folder)
    assert not (complaints := browser.complaints()), f"{name}: the browser complains: {complaints}"
    assert not (requests := browser.requests()), f"{name}: the page asks for {requests}"
    print(f"{name}: {report.stat().st_size} bytes, {len(page.ids)} machines, {len(profiles)} profiles, all as its database says", flush=True)


def check_host_alone(browser, daedalus, folder):
    """A network without an accelerator program compares nowhere."""
    SWEEPS["explore_host"] = ("keys: {n: [16, 32], queue_depth: [4, 8]}\n", [DIGITS], ["--target", "cpu"])
    report, _ = written(daedalus, "explore_host", folder, check=False)
    browser.open(report)
    assert not browser.one("#scatter-section").is_displayed(), "a chart of no cycles"
    assert not (complaints := browser.complaints()), f"the browser complains: {complaints}"


def check_no_machine(browser, daedalus, folder):
    """A sweep whose points are none has a page that says so."""
    SWEEPS["explore_none"] = ("keys: {n: [8], bus_bytes: [16]}\n", [DIGITS], [])
    report, _ = written(daedalus, "explore_none", folder, check=False)
    browser.open(report)
    assert browser.one("#findings").text == "No machine runs all networks.", browser.one("#findings").text
    assert not browser.one("#scatter-section").is_displayed()
    assert "bus_bytes" in browser.one("#skipped").get_attribute("textContent")
    assert not (complaints := browser.complaints()), f"the browser complains: {complaints}"


def write_image(browser, report, path):
    """The two charts with the fast machines kept, for docs/explore.md."""
    browser.open(report)
    drag(Page(browser, *page_data.read(report)), "cycles", -0.02, 0.3)
    browser.script("document.activeElement.blur()")
    browser.settle()
    browser.screenshot(path, "#scatter-section, #parallel-section")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daedalus", type=pathlib.Path, default=ROOT / "build/release/bin/daedalus")
    parser.add_argument("--images", type=pathlib.Path)
    parser.add_argument("sweeps", nargs="*", default=list(SWEEPS), metavar="SWEEP")
    options = parser.parse_args()
    WRITTEN.mkdir(parents=True, exist_ok=True)
    browser = Browser()
    try:
        for name in options.sweeps:
            report, database = written(options.daedalus, name, WRITTEN)
            check_page(browser, name, report, database, WRITTEN)
            if options.images and name == "explore_resnet18":
                write_image(browser, report, options.images / f"{name}.png")
        check_host_alone(browser, options.daedalus, WRITTEN)
        check_no_machine(browser, options.daedalus, WRITTEN)
    finally:
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
