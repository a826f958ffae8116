"""A headless Chromium with the page of a report."""
import base64
import pathlib

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

WIDTH, HEIGHT = 1280, 900
CONTRAST = (pathlib.Path(__file__).resolve().parent / "contrast.js").read_text(encoding="utf-8")


class Browser:
    def __init__(self):
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={WIDTH},{HEIGHT}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)

    def open(self, path):
        """The page, when it has drawn. Fails where it says an error."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False})
        self.driver.get(path.resolve().as_uri())
        WebDriverWait(self.driver, 60).until(lambda driver: driver.execute_script(
            "return document.body.dataset.ready || !document.getElementById('problem').hidden"))
        assert not self.one("#problem").is_displayed(), self.one("#problem").text

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def settle(self):
        """Until two pictures were drawn."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60)));")

    def media(self, **features):
        """Emulates features of media, such as prefers_color_scheme="dark", and print by media="print"."""
        kind = features.pop("media", "")
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "media": kind, "features": [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]})
        self.settle()

    def contrasts(self):
        """Texts whose contrast is less than WCAG's AA asks for, and how many texts there are."""
        return self.script(CONTRAST)

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """What the page asked for besides itself."""
        found = []
        for entry in self.driver.get_log("performance"):
            if '"Network.requestWillBeSent"' in entry["message"]:
                address = entry["message"].split('"url":"', 1)[1].split('"')[0]
                if not address.startswith(("file:", "data:", "blob:")):
                    found.append(address)
        return found

    def screenshot(self, path, selector=None, margin=0):
        """Of the window, or of what holds all elements of a selector, however large."""
        if selector is None:
            self.driver.save_screenshot(str(path))
            return
        box = self.script("const boxes = [...document.querySelectorAll(arguments[0])].map((element) => element.getBoundingClientRect());"
                          "const [x, y] = ['left', 'top'].map((side) => Math.min(...boxes.map((box) => box[side])));"
                          "const [end, below] = ['right', 'bottom'].map((side) => Math.max(...boxes.map((box) => box[side])));"
                          "return [x + scrollX, y + scrollY, end - x, below - y]", selector)
        clip = {"x": max(0, box[0] - margin), "y": max(0, box[1] - margin), "width": box[2] + 2 * margin,
                "height": box[3] + 2 * margin, "scale": 1}
        taken = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
        path.write_bytes(base64.b64decode(taken["data"]))

    def close(self):
        self.driver.quit()
