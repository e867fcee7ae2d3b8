// The page of weft serve: a form of one row, its prediction and what drives it, and predictions of a dropped table.
"use strict";

const $ = (id) => document.getElementById(id);
const kFirst = 12;       // inputs that are shown at once; the others behind a summary
const kBars = 10;        // contributions in the chart; the others are one bar
const kPreview = 20;     // rows of a table
const kListed = 40;      // categories of a select; more are offered while typing
let model = null;
let token = sessionStorage.getItem("weft-token") || "";

// --- requests --------------------------------------------------------------------------------------------------------
class Refused extends Error {
  constructor(status, answer) {
    super([answer.place, answer.error].filter(Boolean).join(": ") + (answer.remedy ? `; ${answer.remedy}` : ""));
    this.status = status;
  }
}

async function ask(path, options = {}) {
  const headers = {...options.headers};
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch(path, {...options, headers});
  if (answer.ok) return answer;
  let said = {error: `the server answers ${answer.status}`};
  try { said = await answer.json(); } catch { /* not from weft: a proxy, perhaps */ }
  throw new Refused(answer.status, said);
}

/// Only the last of several calls in a row is carried out, and what it replaces is given up.
function latest(delay, work, failed) {
  let timer = 0, running = null;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      running?.abort();
      const own = running = new AbortController();
      try {
        await work(own.signal);
      } catch (error) {
        if (error.name !== "AbortError") failed(error);
      }
    }, delay);
  };
}

function say(id, text) {
  $(id).textContent = text;
  $(id).hidden = !text;
}

// --- the form --------------------------------------------------------------------------------------------------------
function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}

/// Six digits, and the exponent where there are more.
const shown = (value) => (typeof value === "number" ? String(Number(value.toPrecision(6))) : String(value));

function stepOf(input) {
  if (input.whole) return 1;
  return 10 ** Math.floor(Math.log10((input.high - input.low) / 100));
}

function sliderOf(input, text, id) {
  const step = stepOf(input);
  const slider = element("input", {type: "range", id: `${id}-slider`});
  slider.min = Math.floor(input.low / step) * step;
  slider.max = Math.ceil(input.high / step) * step;
  slider.step = step;
  slider.setAttribute("aria-label", `${input.name}, slider`);
  slider.addEventListener("input", () => {
    text.value = shown(Number(slider.value));
    changed();
  });
  text.addEventListener("input", () => { if (text.value !== "" && isFinite(text.value)) slider.value = text.value; });
  return slider;
}

function listOf(input, id) {
  const control = element("select", {id});
  control.append(element("option", {value: "", textContent: "(missing)"}));
  for (const category of input.categories) control.append(element("option", {value: category, textContent: category}));
  return control;
}

function fieldOf(input, k) {
  const id = `input-${k}`;
  const field = element("div", {className: "field"}, element("label", {htmlFor: id, textContent: input.name}));
  let control;
  if (input.categories && input.categories.length <= kListed) {
    control = listOf(input, id);
    field.classList.add("wide");
  } else {
    control = element("input", {id, type: "text", spellcheck: false, placeholder: input.kind === "date" ? "YYYY-MM-DD" : "missing"});
    if (input.kind === "number") control.inputMode = "decimal";
  }
  if (input.kind !== "number") field.classList.add("wide");
  control.addEventListener("input", changed);
  field.append(control);
  if (input.categories && input.categories.length > kListed) {
    const offered = element("datalist", {id: `${id}-list`});
    for (const category of input.categories) offered.append(element("option", {value: category}));
    control.setAttribute("list", offered.id);
    field.append(offered);
  }
  if (input.low < input.high) field.append(sliderOf(input, control, id));
  return field;
}

const used = () => model.inputs.map((input, k) => ({...input, k})).filter((input) => input.kind !== "unused");

function buildForm(values) {
  const inputs = used();
  if (inputs.every((input) => input.relevance !== undefined)) inputs.sort((a, b) => b.relevance - a.relevance);
  const form = $("row");
  form.replaceChildren(...inputs.slice(0, kFirst).map((input) => fieldOf(input, input.k)));
  if (inputs.length > kFirst) {
    const rest = element("div", {}, ...inputs.slice(kFirst).map((input) => fieldOf(input, input.k)));
    form.append(element("details", {}, element("summary", {textContent: `${inputs.length - kFirst} more inputs`}), rest));
  }
  for (const input of inputs) setValue(input, values.get(input.name) ?? input.typical);
}

function setValue(input, value) {
  const control = $(`input-${input.k}`);
  control.value = value;
  if (control.value !== value) control.value = "";  // a category of another model
  const slider = $(`input-${input.k}-slider`);
  if (slider && value !== "") slider.value = value;
}

const values = () => new Map(model ? used().map((input) => [input.name, $(`input-${input.k}`).value]) : []);

/// Texts are read as those of a CSV file, so that nothing is lost on the way. Null for a missing cell.
function row() {
  const cells = {};
  for (const [name, value] of values()) cells[name] = value === "" ? null : value;
  return JSON.stringify(cells);
}

// --- the answer ------------------------------------------------------------------------------------------------------
function query() {
  return model.intervals ? `?interval=${$("level").value}` : "";
}

function showPrediction(prediction) {
  const lines = [];
  for (const [name, value] of Object.entries(prediction.values)) {
    lines.push(element("p", {className: "value"}, element("span", {className: "name", textContent: name}), shown(value)));
    const ends = prediction.interval?.[name];
    if (ends) lines.push(element("p", {className: "between", textContent: `from ${shown(ends[0])} to ${shown(ends[1])}`}));
  }
  if (prediction.set) lines.push(element("p", {className: "between", textContent: `not ruled out: ${prediction.set.join(", ")}`}));
  $("answer").replaceChildren(...lines);
  const shares = Object.entries(prediction.probabilities ?? {}).sort((a, b) => b[1] - a[1]);
  $("classes").replaceChildren(...shares.slice(0, kBars).map(([label, share]) => {
    const bar = element("progress", {max: 1, value: share});
    bar.setAttribute("aria-label", label);
    return element("div", {className: prediction.set?.includes(label) ? "class member" : "class"}, element("span", {textContent: label}), bar,
      element("span", {className: "share", textContent: `${(100 * share).toFixed(1)} %`}));
  }));
}

const predict = latest(60, async (signal) => {
  $("answer").setAttribute("aria-busy", "true");
  const answer = await ask(`predict${query()}`, {method: "POST", body: row(), headers: {"Content-Type": "application/json"}, signal});
  const said = await answer.json();
  if (said.model !== model.id) return void (await readModel());
  showPrediction(said.predictions[0]);
  say("problem", "");
  $("answer").removeAttribute("aria-busy");
}, (error) => {
  $("answer").removeAttribute("aria-busy");
  $("answer").replaceChildren();
  $("classes").replaceChildren();
  $("why").hidden = true;
  failed(error);
  if (error.status === 422) followModel();
});

/// The form may be that of an earlier model.
async function followModel() {
  try {
    if ((await (await ask("model")).json()).id !== model.id) await readModel();
  } catch { /* what is wrong has been said */ }
}

let explanation = null;

const explain = latest(250, async (signal) => {
  const answer = await ask("explain", {method: "POST", body: row(), headers: {"Content-Type": "application/json"}, signal});
  explanation = (await answer.json()).explanations[0];
  const chosen = Math.max(0, $("output").selectedIndex);
  $("output").replaceChildren(...explanation.outputs.map((name) => element("option", {textContent: name})));
  $("output").selectedIndex = Math.min(chosen, explanation.outputs.length - 1);
  $("output-line").hidden = explanation.outputs.length < 2;
  await showExplanation();
}, () => { $("why").hidden = true; });  // the prediction says what is wrong

/// The largest contributions, and the sum of the others.
function bars(output) {
  const all = explanation.variables.map((part) => ({name: part.cell === "" ? part.name : `${part.name} = ${part.cell}`, value: part.value[output]}));
  all.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const rest = all.slice(kBars);
  const first = all.slice(0, kBars);
  if (rest.length) first.push({name: `${rest.length} others`, value: rest.reduce((sum, one) => sum + one.value, 0)});
  return first;
}

async function showExplanation() {
  const output = Math.max(0, $("output").selectedIndex);
  const parts = bars(output);
  const compared = model.background_rows ? `the mean of ${model.background_rows} rows` : "a row of typical values";
  const of = model.task === "regression" ? "prediction" : `score of ${explanation.outputs[output]}`;
  const moved = parts.some((part) => part.value !== 0);
  $("about").textContent = !moved && !model.background_rows ? "This is the row with which others are compared: change a value to see what it adds." : `Compared with ${compared}, ${shown(explanation.base[output])}: what each value adds to the ${of}, ${shown(explanation.prediction[output])}.`;
  $("parts").replaceChildren(
    element("thead", {}, element("tr", {}, element("th", {textContent: "value", className: "words"}), element("th", {textContent: "adds"}))),
    element("tbody", {}, ...parts.map((part) => element("tr", {}, element("td", {textContent: part.name, className: "words"}), element("td", {textContent: shown(part.value)})))));
  $("plot").setAttribute("aria-label", "Contributions: " + parts.map((part) => `${part.name} ${shown(part.value)}`).join("; "));
  $("why").hidden = false;
  $("plot").hidden = !moved || !window.vegaInterpreter;
  if (!$("plot").hidden) await draw(parts);
}

async function draw(parts) {
  const width = $("plot").clientWidth;
  const spec = {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json", width: "container", height: 24 * parts.length, autosize: {type: "fit-x", contains: "padding"},
    data: {values: parts},
    encoding: {y: {field: "name", type: "nominal", sort: null, title: null, axis: {labelLimit: 0.45 * width}},
      x: {field: "value", type: "quantitative", title: null}},
    layer: [
      {mark: {type: "bar", height: 14}, encoding: {color: {condition: {test: "datum.value < 0", value: "var(--series-2)"}, value: "var(--series-1)"}}},
      {mark: {type: "rule", color: "var(--soft)"}, encoding: {x: {datum: 0}, y: null}},
    ],
  };
  const axis = {domainColor: "var(--line)", gridColor: "var(--line)", tickColor: "var(--line)", labelColor: "var(--soft)", labelFontSize: 12};
  const config = {aria: false, background: null, font: "system-ui, sans-serif", view: {stroke: null}, axis, axisX: {tickCount: width < 360 ? 3 : 5}};
  // Interpreted, not compiled: the page's policy has no eval.
  const runtime = vega.parse(vegaLite.compile(spec, {config}).spec, null, {ast: true});
  await new vega.View(runtime, {expr: vegaInterpreter, renderer: "svg", container: $("plot"), hover: false}).runAsync();
}

function changed() {
  predict();
  explain();
}

// --- a table ---------------------------------------------------------------------------------------------------------
/// Cells of the first lines of CSV as weft writes it.
function* records(text) {
  let cells = [], cell = "", quoted = false;
  for (let i = 0; i < text.length; ++i) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') cell += text[++i];
      else quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === ",") { cells.push(cell); cell = ""; }
    else if (c === "\n") { yield [...cells, cell]; cells = []; cell = ""; }
    else cell += c;
  }
}

function showTable(text, name, note) {
  const [header, ...rows] = firstOf(records(text), kPreview + 1);
  const count = text.split("\n").length - 2;
  $("preview").replaceChildren(
    element("thead", {}, element("tr", {}, ...header.map((cell) => element("th", {textContent: cell})))),
    element("tbody", {}, ...rows.map((cells) => element("tr", {}, ...cells.map((cell) => element("td", {textContent: cell === "" || !isFinite(cell) ? cell : shown(Number(cell))}))))));
  URL.revokeObjectURL($("download").href);
  $("download").href = URL.createObjectURL(new Blob([text], {type: "text/csv"}));
  $("download").download = name.replace(/(\.[a-z]+)?$/i, "-predictions.csv");
  $("table-count").textContent = `${count} rows${count > kPreview ? `, the first ${kPreview} below` : ""}${note ? `; ${note}` : ""}`;
  $("table-answer").hidden = false;
}

function firstOf(sequence, count) {
  const taken = [];
  for (const one of sequence) {
    taken.push(one);
    if (taken.length === count) break;
  }
  return taken;
}

async function predictTable(file) {
  say("table-problem", "");
  $("table-answer").hidden = true;
  try {
    if (file.size > model.limits.bytes) throw new Error(`the file has more than ${model.limits.bytes} bytes; use weft predict, or start the server with a larger --max-body`);
    const tabs = /\.tsv$|\.tab$/i.test(file.name);
    const wanted = [query().slice(1), "rows=true", model.probabilities ? "proba=true" : ""].filter(Boolean).join("&");
    const answer = await ask(`predict?${wanted}`,
      {method: "POST", body: file, headers: {"Content-Type": tabs ? "text/tab-separated-values" : "text/csv"}});
    showTable(await answer.text(), file.name, answer.headers.get("Weft-Note"));
  } catch (error) {
    say("table-problem", error.message);
  }
}

function takeFiles(files) {
  if (files.length) predictTable(files[0]);
}

for (const kind of ["dragenter", "dragover"])
  $("drop").addEventListener(kind, (event) => { event.preventDefault(); $("drop").classList.add("over"); });
for (const kind of ["dragleave", "drop"])
  $("drop").addEventListener(kind, (event) => { event.preventDefault(); $("drop").classList.remove("over"); });
$("drop").addEventListener("drop", (event) => takeFiles(event.dataTransfer.files));
$("file").addEventListener("change", () => { takeFiles($("file").files); $("file").value = ""; });

// --- the model -------------------------------------------------------------------------------------------------------
function showModel() {
  const what = model.predicts.join(", ");
  document.title = `weft: ${what}`;
  $("title").textContent = `Try the model of ${what}`;
  $("summary").textContent = `${used().length} inputs, ${model.task === "regression" ? "numbers" : `${model.classes.length} classes`}. `
    + "Type or slide a value; an empty field is a missing cell.";
  $("facts").textContent = `weft ${model.weft}, model ${model.id}`;
  $("level-line").hidden = !model.intervals;
  if (model.interval) {
    const value = String(model.interval);
    if (![...$("level").options].some((option) => option.value === value)) $("level").append(element("option", {value, textContent: `${100 * model.interval} %`}));
    $("level").value = value;
  }
}

async function readModel() {
  try {
    const before = values();
    model = await (await ask("model")).json();
    $("token-form").hidden = true;
    $("main").hidden = false;
    say("problem", "");
    showModel();
    buildForm(before);
    changed();
  } catch (error) {
    failed(error);
  }
}

function failed(error) {
  if (error.status === 401) {
    $("main").hidden = true;
    $("token-form").hidden = false;
    $("summary").textContent = "This server asks for a token.";
    say("problem", token ? "the token is not the server's" : "");
    return;
  }
  say("problem", error instanceof Refused ? error.message : `the server cannot be reached (${error.message})`);
}

$("row").addEventListener("submit", (event) => event.preventDefault());
$("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  token = $("token").value;
  sessionStorage.setItem("weft-token", token);
  readModel();
});
$("typical").addEventListener("click", () => {
  for (const input of used()) setValue(input, input.typical);
  changed();
});
$("level").addEventListener("input", predict);
$("output").addEventListener("input", showExplanation);
addEventListener("resize", latest(200, async () => { if (explanation && !$("why").hidden) await showExplanation(); }, () => {}));
readModel();
