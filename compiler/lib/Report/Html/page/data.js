// The data of the page: the profile's JSON, and what each module did.

// Nothing where the page has none of it.
async function unpack(id) {
  const text = document.getElementById(id).textContent;
  if (!text) return undefined;
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

const MODULES = ["fetch", "load", "gemm", "vector", "store"];

// What a cycle was, as charts show it; the order is that of the legends.
const KINDS = ["GEMM works", "VECTOR works", "LOAD works", "STORE works", "FETCH works", "memory", "bus", "queue full", "waits"];

function kindOf(module, className) {
  if (className === "busy") return module.toUpperCase() + " works";
  if (className === "queue_full") return "queue full";
  return className === "memory" || className === "bus" ? className : "waits";
}

function sumOf(classes) {
  return Object.values(classes || {}).reduce((sum, cycles) => sum + cycles, 0);
}

// The layers, and last what belongs to none where it has a part of the path.
function partsOf(profile) {
  const none = { ...profile.none, node: "(no layer)", target: "", macs: 0 };
  return none.path_cycles ? [...profile.layers, none] : profile.layers;
}

// A part of the path by module and class, the largest first.
function pathOf(part) {
  const all = [];
  for (const [module, classes] of Object.entries(part.path))
    for (const [name, cycles] of Object.entries(classes)) all.push({ module, name, cycles });
  return all.sort((a, b) => b.cycles - a.cycles);
}

const grouped = (number) => number.toLocaleString("en-US");
const percent = (part, whole) => (whole ? ((100 * part) / whole).toFixed(1) + "%" : "-");

// Fills the page, or says why that is not possible.
function showOrSay(show) {
  show().catch((error) => {
    const problem = document.getElementById("problem");
    problem.textContent = "This report cannot be shown: " + (error.message ?? error);
    problem.hidden = false;
    throw error;
  });
}
