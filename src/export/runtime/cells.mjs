//: *
@head@
//: * [inline]
/** Every number of the model that there are many of. */
const parameters = new Float64Array(@parameters@);
//: * [file]
/** Every number of the model that there are many of, from the file @name@.bin. */
let parameters = null;

/** Takes the bytes of @name@.bin, an ArrayBuffer or Uint8Array, as fetch or fs.readFileSync give them. */
export function load(bytes) {
  const view = ArrayBuffer.isView(bytes) ? new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new DataView(bytes);
  const tag = @tag@;
  if (view.byteLength !== 8 * (@parameter_count@ + 1) || tag.some((byte, k) => view.getUint8(k) !== byte))
    throw new Error("these bytes are not the parameters of this model: load @name@.bin");
  parameters = Float64Array.from({length: @parameter_count@}, (_, k) => view.getFloat64(8 * (k + 1), true));
}

//: integers
const integers = @integers@;
//: labels
const labels = @labels@;

//: scales
/** (v - shift) * factor, or linear between knots: values, then scores. */
const scales = @scales@;

//: levels
/** Labels in order of their bytes, labels that are numbers, inputs of frequent ones, effects on the target. */
const levels = @levels@;

//: dates
const dates = @dates@;

//: *
/** reader, cell, input, scales, scaleCount, table, indicator, indicatorInput, fill */
const columns = @columns@;

//: scaled
function scaled(s, v) {
  const [shift, factor, knots, count] = scales[s];
  if (count === 0) return (v - shift) * factor;
  const at = (k) => parameters[knots + k];
  const scores = (k) => parameters[knots + count + k];
  let below = 0;
  let length = count - 1;
  if (v <= at(0)) return scores(0);
  if (v >= at(length)) return scores(length);
  while (length > 1) {
    const half = length >> 1;
    if (at(below + half) <= v) below += half;
    length -= half;
  }
  const share = (v - at(below)) / (at(below + 1) - at(below));
  return Math.min(scores(below) + share * (scores(below + 1) - scores(below)), scores(below + 1));
}

//: unusable
function unusable(what, cell) {
  throw new Error(`${what}: ${JSON.stringify(cell)}`);
}

//: checkMissing
function checkMissing(missing) {
  if (missing) throw new Error("the cell is missing");
}

//: writeIndicator
function writeIndicator(column, missing, x) {
  const [, , , , , , indicator, input] = column;
  if (indicator >= 0) x[input] = scaled(indicator, @indicated@);
}

//: writeNumber
function writeNumber(column, v, x) {
  const [, , input, first, count, , , , fill] = column;
  const missing = Number.isNaN(v);
[missing_error]  checkMissing(missing);
  writeIndicator(column, missing, x);
  for (let k = 0; k < count; ++k) x[input + k] = scaled(first + k, missing ? fill : v);
}

//: isMissing
/** null, NaN, and the texts that stand for a missing cell where texts are numbers. */
function isMissing(cell) {
  if (cell === null || cell === undefined || Number.isNaN(cell)) return true;
  return typeof cell === "string" &&
      ["", "na", "n/a", "nan", "null", "none", "?", "-", ".", "#n/a", "\\n"].includes(cell.toLowerCase());
}

//: parseNumber
/** A finite number that is all of the text; NaN where it is none. */
function parseNumber(text) {
  const number = /^-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text) ? Number(text) : NaN;
  return Number.isFinite(number) ? number : NaN;
}

//: readNumberCell
function readNumberCell(column, cell, x) {
  if (isMissing(cell)) return writeNumber(column, NaN, x);
  const v = typeof cell === "string" ? parseNumber(cell.replace(/^\+(?=[^-])/, "")) : Number(cell);
  if (!Number.isFinite(v)) unusable("not a finite number", cell);
  writeNumber(column, v, x);
}

//: readNoCell
/** Training saw no cell of the column: whatever it holds counts as 0. */
function readNoCell(column, cell, x) {
  const [, , input, first, count] = column;
  for (let k = 0; k < count; ++k) x[input + k] = scaled(first + k, 0);
}

//: readBooleanCell
function readBooleanCell(column, cell, x) {
  if (isMissing(cell)) return writeNumber(column, NaN, x);
  const word = String(cell).toLowerCase();
  if (["true", "yes", "t"].includes(word)) return writeNumber(column, 1, x);
  if (["false", "no", "f"].includes(word)) return writeNumber(column, 0, x);
  const v = parseNumber(String(cell));
[!unseen_ignored]  if (Number.isNaN(v)) unusable("training did not have this word", cell);
  writeNumber(column, Number.isNaN(v) ? column[8] : v, x);
}

//: daysOf
/** Days since 1970-01-01; NaN where there is no such day. */
function daysOf(year, month, day) {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / 86400000 : NaN;
}

//: parseDate
/** Seconds since 1970 of YYYY-MM-DD[ hh:mm[:ss[.fraction]][offset]]; NaN where the text is none. */
function parseDate(text) {
  const found =
      /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:[Zz]| ?([-+])(\d\d)(?::?(\d\d))?)?)?$/.exec(text);
  if (!found) return NaN;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0));
  const [west, zoneHour, zoneMinute] = [found[8] === "-", Number(found[9] ?? 0), Number(found[10] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || zoneHour > 23 || zoneMinute > 59) return NaN;
  let unit = 1;
  let fraction = 0;
  for (const digit of found[7] ?? "") fraction += Number(digit) * (unit /= 10);
  const clock = 60 * (60 * hour + minute) + (second + fraction);
  return 86400 * daysOf(year, month, day) + clock + (west ? 60 : -60) * (60 * zoneHour + zoneMinute);
}

//: datePart
/** 0 year, 1 month, 2 day, 3 weekday (1: Monday), 4 hour, 5 seconds since the start. */
function datePart(part, time, start) {
  if (part === 5) return time - start;
  const days = Math.floor(time / 86400);
  if (part === 4) return Math.floor((time - days * 86400) / 3600);
  const date = new Date(days * 86400000);
  if (part === 3) return date.getUTCDay() || 7;
  return part === 0 ? date.getUTCFullYear() : part === 1 ? date.getUTCMonth() + 1 : date.getUTCDate();
}

//: readDateCell
function readDateCell(column, cell, x) {
  const [, , input, first, count, table] = column;
  const [start, parts, partCount, fills] = dates[table];
  const missing = isMissing(cell);
[missing_error]  checkMissing(missing);
  const time = missing ? 0 : parseDate(String(cell));
  if (Number.isNaN(time)) unusable("not a date", cell);
  writeIndicator(column, missing, x);
  for (let k = 0; k < count; ++k) {
    const part = Math.floor(k * partCount / count);
    x[input + k] = scaled(first + k, missing ? parameters[fills + part] : datePart(integers[parts + part], time, start));
  }
}

//: levelMaps
/** From labels, and from numbers, to positions of categories. */
const levelMaps = levels.map(([first, count, positions, numbers, numberCount, numberPositions]) => ({
  labels: new Map(Array.from({length: count}, (_, k) => [labels[first + k], integers[positions + k]])),
  number: (v) => {
    for (let k = 0; k < numberCount; ++k) if (parameters[numbers + k] === v) return integers[numberPositions + k];
    return -1;
  },
}));

//: levelOf
/** The position of a category, -1: training did not see it. */
function levelOf(table, text) {
  const found = levelMaps[table].labels.get(text);
  return found === undefined ? levelMaps[table].number(parseNumber(text)) : found;
}

//: readCategoryCell
function readCategoryCell(column, cell, x) {
  const [, , input, first, count, table, , , fill] = column;
  const [, size, , , , , oneHot, effects, effectCount, effectScales] = levels[table];
  const missing = cell === null || cell === undefined || cell === "" || Number.isNaN(cell);
[missing_error]  checkMissing(missing);
  let level = missing ? -1 : levelOf(table, String(cell));
[!unseen_ignored]  if (!missing && level < 0) unusable("training did not have this category", cell);
  writeIndicator(column, missing, x);
[missing_impute]  if (missing) level = fill;
  for (let k = 0; k < count; ++k) x[input + k] = scaled(first + k, 0);
  const place = level < 0 || oneHot < 0 ? level : integers[oneHot + level];
  if (place >= 0) x[input + place] = scaled(first + place, 1);
  for (let k = 0; k < effectCount; ++k)
    x[input + count + k] = scaled(effectScales + k, level < 0 ? 0 : parameters[effects + k * size + level]);
}

//: readers
const readers = @readers@;

//: naValues
/** Cells that training called missing. */
const naValues = @na_values@;
const naNumbers = @na_numbers@;

//: encode
/** The inputs of a row, an object with a cell per column. */
function encode(row) {
  const x = new Float64Array(@inputs@);
  for (let k = 0; k < columns.length; ++k) {
    const column = columns[k];
[!na_values]    const cell = row[columnNames[k]];
[na_values]    const written = row[columnNames[k]];
[na_values]    const isNumber = column[0] === @number_reader@;
[na_values]    const missing = naValues.includes(written) || (isNumber && naNumbers.includes(Number(written)));
[na_values]    const cell = missing ? null : written;
    if (cell === undefined && column[1] >= 0) throw new Error(`the row has no '${columnNames[k]}'`);
    try {
      readers[column[0]](column, cell, x);
    } catch (error) {
      throw new Error(`column '${columnNames[k]}': ${error.message}`);
    }
  }
[bias]  x[@inputs@ - 1] = 1;
  return x;
}
