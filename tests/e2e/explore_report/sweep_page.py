"""A page of `daedalus explore --report` in a browser: what it shows, and what its data say."""
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import page_data

LEFT, TOP, HEIGHT = 60, 58, 330  # of the axes in their canvas


def figure(value):
    """As the page writes objectives."""
    return f"{value:.3f}" if value < 1000 and value != int(value) else f"{int(value + 0.5):,}"


class Page:
    """A page, and what its data say."""

    def __init__(self, browser, data, profiles):
        self.browser, self.data, self.profiles = browser, data, profiles
        self.points = data["points"]
        self.ids = self.points["id"]
        self.front = [index for index, on_front in enumerate(self.points["on_front"]) if on_front]
        self.measures = {objective["name"]: self.points["values"][objective["name"]] for objective in data["objectives"]}
        if len(data["networks"]) > 1:
            for network, costs in zip(data["networks"], self.points["costs"]):
                self.measures["cycles of " + network] = costs["cycles"]

    def table(self, name):
        """The texts of the rows of a table's body."""
        return self.browser.script("return [...document.querySelectorAll('#' + arguments[0] + ' tbody tr')]"
                                   ".map((row) => [...row.cells].map((cell) => cell.textContent))", name)

    def text(self, selector):
        return self.browser.script("return document.querySelector(arguments[0]).textContent", selector)

    def chosen(self):
        """The index of the chosen point, which the sentence below the chart, the field, the name and the address agree on."""
        self.browser.settle()
        point = int(self.browser.one("#go-point").get_attribute("value"))
        index = self.ids.index(point)
        assert self.text("#chosen").startswith(f"Point {point}"), self.text("#chosen")
        assert self.text("#machine-name") == self.points["machine"][index], self.text("#machine-name")
        return index

    def dots(self):
        """What the chart of two objectives draws."""
        return self.browser.script("return [...document.querySelectorAll('#scatter .points path')].map((path) => ({...path.__data__.datum,"
                                   "left: path.__data__.x, top: path.__data__.y}))")

    def view_of(self, element):
        self.browser.script("arguments[0].scrollIntoView({block: 'center'})", element)
        self.browser.settle()


def pasted(browser):
    """What the clipboard has."""
    browser.script("const field = document.body.appendChild(document.createElement('textarea')); field.id = 'paste'; field.focus()")
    ActionChains(browser.driver).key_down(Keys.CONTROL).send_keys("v").key_up(Keys.CONTROL).perform()
    return browser.script("const field = document.getElementById('paste'), text = field.value; field.remove(); return text")


def kept_by(page, key, values):
    return [index for index, machine in enumerate(page.points["machine"]) if page_data.setting(machine, key) in values]


def expect_kept(page, kept, why):
    page.browser.settle()
    front = [index for index in page.front if index in kept]
    expected = f"{len(kept):,} of {len(page.ids):,} machines, {len(front):,} of them on the front"
    assert page.text("#kept") == expected, f"{why}: {page.text('#kept')}, expected {expected}"
    assert sorted(int(row[0]) for row in page.table("front")) == sorted(page.ids[index] for index in front), f"{why}: the table keeps others"
    assert sorted(dot["index"] for dot in page.dots() if dot["isKept"]) == kept, f"{why}: the chart keeps others"


def axis_places(page):
    """By name, how far right of the canvas each axis is."""
    names = page.browser.script("return [...document.querySelectorAll('#brush-axis option')].map((option) => option.textContent)")
    width = page.browser.script("return document.querySelector('#parallel canvas').clientWidth")
    return {name: LEFT + at * (width - 2 * LEFT) / (len(names) - 1) for at, name in enumerate(names)}


def drag(page, name, low, high):
    """Along an axis, between parts of its height from below."""
    canvas = page.browser.one("#parallel canvas")
    page.view_of(canvas)
    size = canvas.size
    x = axis_places(page)[name] - size["width"] / 2
    ys = [TOP + (1 - at) * HEIGHT - size["height"] / 2 for at in (low, high)]
    chain = ActionChains(page.browser.driver).move_to_element_with_offset(canvas, round(x), round(ys[0])).click_and_hold()
    chain.move_by_offset(0, round((ys[1] - ys[0]) / 2)).move_by_offset(0, round(ys[1]) - round(ys[0]) - round((ys[1] - ys[0]) / 2)).release().perform()
