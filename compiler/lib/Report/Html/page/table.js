// Tables, sortable or plain.

function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// Of a column with `link`, its address for an item, a link; `tone` gives a number's class.
function cellOf(column, value, item) {
  const text = value === undefined ? "-" : column.isText ? value : column.text(value);
  if (column.isHeader) return element("th", text, { scope: "row", title: text });
  const tone = value !== undefined && column.tone ? " " + column.tone(value) : "";
  const cell = element("td", undefined, { class: column.isLong ? "long" : column.isText ? "" : "number" + tone });
  cell.append(column.link ? element("a", text, { href: column.link(item) }) : text);
  return cell;
}

// What is missing stands last, whichever way the rows are sorted.
function compare(a, b, direction) {
  if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
  return direction * (typeof a === "string" ? a.localeCompare(b) : a - b);
}

function headerOf(column, sort) {
  const header = element("th", undefined, { scope: "col", "aria-sort": "none", class: column.isText ? "" : "number" });
  const button = header.appendChild(element("button", column.title, { type: "button" }));
  button.addEventListener("click", () => sort(header, column));
  return header;
}

// Sorts the rows by a column: first the way that is asked for more often, then the other.
function sorter(head, body, rows) {
  return (header, column) => {
    const first = column.isText || column.title === "#" ? "ascending" : "descending";
    const other = first === "ascending" ? "descending" : "ascending";
    const order = header.getAttribute("aria-sort") === first ? other : first;
    for (const each of head.children) each.setAttribute("aria-sort", "none");
    header.setAttribute("aria-sort", order);
    const direction = order === "ascending" ? 1 : -1;
    body.append(
      ...[...rows].sort((a, b) => compare(a.values.get(column), b.values.get(column), direction)).map((each) => each.row),
    );
  };
}

function emptyTable(id) {
  const table = document.getElementById(id);
  table.replaceChildren();
  return table;
}

// Fills the table of this id with a row for each of the items.
function fillTable(id, columns, items) {
  const table = emptyTable(id);
  const head = table.appendChild(element("thead")).appendChild(element("tr")), body = table.appendChild(element("tbody"));
  const rows = items.map((item, index) => {
    const values = new Map(columns.map((column) => [column, column.value(item, index)])), row = element("tr");
    row.append(...columns.map((column) => cellOf(column, values.get(column), item)));
    return { row, values };
  });
  const sort = sorter(head, body, rows);
  head.append(...columns.map((column) => headerOf(column, sort)));
  body.append(...rows.map((each) => each.row));
}

// Fills the table of this id with texts: in each row a header and numbers.
function fillPlain(id, titles, rows) {
  const table = emptyTable(id);
  const head = table.appendChild(element("thead")).appendChild(element("tr")), body = table.appendChild(element("tbody"));
  head.append(...titles.map((title, at) => element("th", title, { scope: "col", class: at ? "number" : "" })));
  for (const [header, ...numbers] of rows) {
    const row = body.appendChild(element("tr"));
    row.append(element("th", header, { scope: "row" }), ...numbers.map((text) => element("td", text, { class: "number" })));
  }
}
