// node run_onnx.mjs NODE_MODULES MODEL TOLD ROWS: the predictions of an ONNX file for a JSON array of rows, as `weft predict --proba`
// writes them without its header. TOLD is what `weft export --json` printed. Exits with 77 where onnxruntime is not there.
import {existsSync, readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {resolve} from "node:path";

const [folder, file, told, rowsFile] = process.argv.slice(2);
if (!existsSync(resolve(folder, "onnxruntime-node"))) process.exit(77);
const ort = createRequire(resolve(folder, "index.js"))("onnxruntime-node");

const seconds = (text) => Date.parse(text.length > 10 ? `${text.replace(" ", "T")}:00Z` : text) / 1000;
const number = (cell) => cell.includes("-") && /^\d{4}-/.test(cell) ? seconds(cell)
    : ["", "null", "-", "?", "NA", "NaN"].includes(cell) ? NaN : Number(cell);

const {number_columns, text_columns} = JSON.parse(readFileSync(told, "utf8"));
const rows = JSON.parse(readFileSync(rowsFile, "utf8"));
const session = await ort.InferenceSession.create(file);
const lines = [];
for (let first = 0; first < rows.length; first += 100) {  // kernels hold rows × landmarks × inputs numbers
  const some = rows.slice(first, first + 100);
  const feeds = {};
  for (const name of number_columns)
    feeds[name] = new ort.Tensor("float64", Float64Array.from(some, (row) => number(row[name])), [some.length, 1]);
  for (const name of text_columns) feeds[name] = new ort.Tensor("string", some.map((row) => row[name]), [some.length, 1]);
  const out = await session.run(feeds);
  const cells = (tensor, k) => Array.from(tensor.data.slice(k * tensor.dims[1], (k + 1) * tensor.dims[1]));
  const quoted = (label) => /[",]/.test(label) ? `"${label.replaceAll('"', '""')}"` : label;
  for (let k = 0; k < some.length; ++k) {
    const values = out.label ? [quoted(out.label.data[k])] : cells(out.prediction, k);
    for (const more of [out.probabilities, out.lower, out.upper]) if (more) values.push(...cells(more, k));
    lines.push(values.join(","));
  }
}
process.stdout.write(lines.join("\n") + "\n");
