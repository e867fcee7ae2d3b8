// The page's own script: sorts tables, draws charts.
"use strict";

// --- tables: a click, or Enter and Space, on a heading ---------------------------------------------------------------
function compareCells(a, b) {
  const x = a.dataset.value, y = b.dataset.value;
  if (x !== undefined && y !== undefined) return Number(x) - Number(y);
  if (x !== undefined || y !== undefined) return x !== undefined ? -1 : 1;
  return a.textContent.localeCompare(b.textContent, undefined, {numeric: true});
}

function sortBy(heading) {
  const table = heading.closest("table");
  const column = heading.cellIndex;
  const descending = heading.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  rows.sort((a, b) => (descending ? -1 : 1) * compareCells(a.cells[column], b.cells[column]));
  body.append(...rows);
}

for (const button of document.querySelectorAll("th > button"))
  button.addEventListener("click", () => sortBy(button.parentElement));

// --- charts ----------------------------------------------------------------------------------------------------------
// Colours are the page's own custom properties: SVG takes them from the style, so light, dark and print need no redrawing.
const faint = "var(--line)", soft = "var(--soft)";
// Names of bars take up to two fifths of the width, numbers fewer ticks where it is small.
const chartConfig = (width) => ({
  aria: false,  // the figure has a description and its numbers as a table
  background: null,
  font: "system-ui, sans-serif",
  view: {stroke: null},
  axis: {
    domainColor: faint, gridColor: faint, tickColor: faint, labelColor: soft, titleColor: "currentColor",
    labelFontSize: 12, titleFontSize: 12, titleFontWeight: 500, titlePadding: 8, labelLimit: Math.max(120, 0.4 * width),
    gridOpacity: 0.6,
  },
  axisX: {tickCount: width < 480 ? 4 : 6, labelFlush: false, labelOverlap: true},
  axisY: {tickCount: 6},
  line: {strokeWidth: 2, strokeJoin: "round"},
  rule: {strokeWidth: 1.5},
});

function shown(value) {
  return typeof value === "number" ? String(Number(value.toPrecision(5))) : String(value);
}

const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
document.body.append(tip);

function showTip(labels, event, value) {
  tip.hidden = !value;
  if (!value) return;
  const lines = [];
  if (value.series) lines.push(value.series);
  if (value.name !== undefined) lines.push(value.name);
  else lines.push(`${labels.x || "x"}: ${shown(value.x)}`);
  lines.push(`${labels.y || "y"}: ${shown(value.y)}`);
  if (value.low !== undefined && value.low !== null) lines.push(`from ${shown(value.low)} to ${shown(value.high)}`);
  tip.textContent = lines.join("\n");
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(event.clientX + 12, innerWidth - box.width - 8))}px`;
  tip.style.top = `${Math.max(4, event.clientY - box.height - 10)}px`;
}

function draw(figure) {
  const spec = JSON.parse(figure.querySelector("script").textContent);
  const plot = figure.querySelector(".plot");
  const view = new vega.View(vega.parse(vegaLite.compile(spec, {config: chartConfig(plot.clientWidth)}).spec), {
    renderer: "svg", container: plot, hover: false,
    tooltip: (handler, event, item, value) => showTip(plot.dataset, event, value),
  });
  return view.runAsync();
}

if (window.vegaLite) for (const figure of document.querySelectorAll("figure.chart")) draw(figure);
