// Light and dark: the page's by CSS, the charts' by colours that are read from CSS.

const systemDark = matchMedia("(prefers-color-scheme: dark)");

function chartConfig() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const text = colour("--text"), faint = colour("--line"), font = "system-ui, sans-serif";
  const titled = { labelColor: text, titleColor: text, labelFont: font, titleFont: font, labelFontSize: 12, titleFontSize: 12 };
  return {
    background: null,
    axis: { ...titled, titleFontWeight: "normal", domainColor: faint, gridColor: faint, tickColor: faint, labelLimit: 300 },
    legend: titled,
    text: { fill: text, font, fontSize: 12 },
    signals: [
      { name: "pageColour", value: colour("--page") },
      { name: "textColour", value: text },
      { name: "lineColour", value: faint },
      { name: "accentColour", value: colour("--accent") },
      { name: "kinds", value: KINDS },
      { name: "kindColours", value: KINDS.map((kind) => colour("--" + kind.toLowerCase().replaceAll(" ", "-"))) },
      { name: "layerColours", value: [colour("--layer-even"), colour("--layer-odd")] },
    ],
  };
}

// Calls `draw` now and whenever the colours change; paper has the light ones.
function followTheme(draw) {
  const choice = document.getElementById("theme"), root = document.documentElement;
  const apply = (value) => {
    root.dataset.theme = value || (systemDark.matches ? "dark" : "light");
    return draw();
  };
  choice.addEventListener("change", () => apply(choice.value));
  systemDark.addEventListener("change", () => apply(choice.value));
  addEventListener("beforeprint", () => apply("light"));
  addEventListener("afterprint", () => apply(choice.value));
  return apply(choice.value);
}
