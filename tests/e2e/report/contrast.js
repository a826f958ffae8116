// Every text that is shown, against what lies behind it: WCAG 2.1 AA asks for 4.5, of large text for 3. Charts' texts of
// SVG count; those on a canvas have the same colours. Returns {texts, bad}.
const channels = (colour) => {
  const found = colour.match(/[\d.]+/g).map(Number);
  return { rgb: found.slice(0, 3), alpha: found.length > 3 ? found[3] : 1 };
};
const luminance = (rgb) => {
  const [r, g, b] = rgb.map((value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const { rgb, alpha } = channels(getComputedStyle(at).backgroundColor);
    if (alpha === 1) return rgb;
  }
  return [255, 255, 255];
};
const bad = [];
let texts = 0;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node; (node = walker.nextNode()); ) {
  const element = node.parentElement, text = node.textContent.trim();
  if (!text || ["SCRIPT", "STYLE", "NOSCRIPT", "OPTION"].includes(element.tagName)) continue;
  const box = element.getBoundingClientRect(), style = getComputedStyle(element);
  if (box.width === 0 || box.height === 0 || style.visibility === "hidden" || element.closest("[hidden]")) continue;
  const colour = channels(element.ownerSVGElement ? style.fill : style.color).rgb;
  const a = luminance(colour), b = luminance(behind(element));
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const isLarge = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && parseInt(style.fontWeight) >= 700);
  ++texts;
  if (ratio < (isLarge ? 3 : 4.5)) bad.push(`${text.slice(0, 40)}: ${ratio.toFixed(2)}`);
}
return { texts, bad };
