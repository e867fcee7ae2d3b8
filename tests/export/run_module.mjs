// node run_module.mjs MODULE ROWS [PARAMETERS]: the predictions of an exported module for a JSON array of rows, as
// `weft predict --proba` writes them without its header.
import {readFileSync} from "node:fs";
import {resolve} from "node:path";
import {pathToFileURL} from "node:url";

const [module, rows, parameters] = process.argv.slice(2);
const model = await import(pathToFileURL(resolve(module)).href);
if (parameters) model.load(readFileSync(parameters));
const lines = JSON.parse(readFileSync(rows, "utf8")).map((row) => {
  const values = model.values(row);
  const predicted = model.predict(row);
  if (model.classes && predicted.label !== model.classes[values[0]]) throw new Error("predict and values disagree");
  if (!model.classes && values.length === 1 && !Object.is(predicted, values[0])) throw new Error("predict and values disagree");
  return values.join(",") + "\n";
});
process.stdout.write(lines.join(""));
