"""How pages of reports look: colours, print, and numbers as they write them."""
import base64
import decimal

from selenium.webdriver.support.ui import Select

from browser import WIDTH


def percent(part, whole):
    """As the page's toFixed() rounds: of two neighbours as near, the larger."""
    return f"{decimal.Decimal(100 * part / whole).quantize(decimal.Decimal('0.1'), decimal.ROUND_HALF_UP)}%" if whole else "-"


def check_colours(browser, name, folder):
    """Light and dark, by the system and by choice: each text is readable, and nothing is wider than the window."""
    backgrounds = {}
    choice = Select(browser.one("#theme"))
    for scheme, value in (("light", ""), ("dark", ""), ("light", "dark"), ("dark", "light")):
        browser.media(prefers_color_scheme=scheme)
        choice.select_by_value(value)
        browser.settle()
        shown = value or scheme
        found = browser.contrasts()
        assert found["texts"] > 60, f"{found['texts']} texts are shown"
        assert not found["bad"], f"{name}, {shown}: too little contrast: {found['bad'][:5]}"
        backgrounds.setdefault(shown, set()).add(browser.script("return getComputedStyle(document.body).backgroundColor"))
        browser.screenshot(folder / f"{name}.{shown}.png", "body")
    assert all(len(colours) == 1 for colours in backgrounds.values()) and len(set.union(*backgrounds.values())) == 2, backgrounds
    choice.select_by_value("light")
    browser.settle()
    assert browser.script("return document.documentElement.scrollWidth") <= WIDTH, "the page is wider than the window"


def check_print(browser, name, folder):
    printed = browser.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True, "printBackground": True})
    (folder / f"{name}.pdf").write_bytes(base64.b64decode(printed["data"]))
    browser.media(media="print")
    assert not browser.one(".controls").is_displayed(), "paper has buttons"
    browser.media()
    widest = browser.script("return Math.max(...[...document.querySelectorAll('.chart > *')].map((chart) => chart.clientWidth))")
    assert widest <= WIDTH, f"after printing, a chart has {widest} pixels"
