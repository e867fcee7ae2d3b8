// Reports as a reader meets them: in a browser, without a network, on paper, on a phone, in the dark.
// node browser_test.mjs NPM_FOLDER PAGE_FIXTURE WEFT WORK_FOLDER
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {launch, missing, open} from "./browser.mjs";

const [npmFolder, fixture, weft, work] = process.argv.slice(2);
const lacking = missing(npmFolder);
if (lacking) {
  console.log(`skipped: ${lacking}`);
  process.exit(77);
}
mkdirSync(work, {recursive: true});
const fixturePage = join(work, "fixture.html");
const trainPage = join(work, "train.html");
const explainPage = join(work, "explain.html");
execFileSync(fixture, [fixturePage]);
const train = ["train", "--auto", "--features", "60", "--configurations", "3", "--folds", "3"];
execFileSync(weft, [...train, "builtin:moons:rows=400", "--fit", "logistic", "--lambda", "1e-3", "--report", trainPage]);

// Long names of variables and categories, and a certificate: what is widest.
const table = join(work, "people.csv");
const works = ["private household", "self-employed, not incorporated", "government office of the federal state"];
const people = Array.from({length: 240}, (_, i) => {
  const age = 20 + ((i * 7) % 41), hours = 10 + ((i * 13) % 37);
  return `${age},"${works[i % 3]}",${hours},${age * 100 + hours * 50 * ((i % 3) + 1)}`;
});
writeFileSync(table, ["age,work class of the person,hours per week,income", ...people].join("\n") + "\n");
const model = join(work, "people.weft");
const certifiedPage = join(work, "people.html");
execFileSync(weft, ["train", table, "--target", "income", "--fast", "--features", "40", "--model", model, "--report", certifiedPage]);
execFileSync(weft, ["explain", model, table, "--row", "3", "--report", explainPage]);

const charts = (page) => page.locator("figure.chart").count();

/// Elements of a chart that show data and have an extent.
const marks = (page) =>
  page.$$eval(".plot", (plots) =>
    plots.map((plot) => {
      const shapes = [...plot.querySelectorAll("svg g.mark-line path, svg g.mark-symbol path, svg g.mark-rect path, svg g.mark-area path")];
      return shapes.filter((shape) => shape.getBBox().width + shape.getBBox().height > 0).length;
    }));

const column = (page, index) =>
  page.$$eval("table >> nth=0 >> tbody tr", (rows, at) => rows.map((row) => row.cells[at].textContent), index);

async function drawsEveryChart(browser, file, least) {
  const page = await open(browser, file);
  assert.ok((await charts(page)) >= least, `${file} has ${await charts(page)} charts`);
  for (const [k, count] of (await marks(page)).entries()) assert.ok(count > 0, `chart ${k} of ${file} is empty`);
  assert.deepEqual(page.problems, []);
  assert.equal(page.requests.filter((url) => !url.startsWith("file:") && !url.startsWith("data:")).length, 0);
  assert.equal(page.requests.filter((url) => url.startsWith("file:")).length, 1, "the page is one file");
  await page.context().close();
}

async function drawsMarksOfEveryKind(browser) {
  const page = await open(browser, fixturePage);
  const count = (selector) => page.locator(selector).count();
  const figure = (k) => `figure.chart >> nth=${k} >> `;
  assert.equal(await count(figure(0) + "svg g.mark-line.role-mark path"), 6, "five lines and a dashed one");
  assert.equal(await count(figure(0) + "path[stroke-dasharray='6,4']"), 1);
  assert.equal(await count(figure(0) + "svg g.mark-rule.role-mark line"), 30, "an error bar per point");
  assert.equal(await count(figure(1) + "svg g.mark-area path"), 1, "a band");
  assert.equal(await count(figure(1) + "svg g.mark-rect.role-mark path"), 1, "a shaded interval");
  assert.equal(await count(figure(2) + "svg g.mark-rect.role-mark path"), 20, "a bar per bin");
  assert.equal(await count(figure(3) + "svg g.mark-symbol.role-mark path"), 400);
  const bars = page.locator(figure(2) + "svg g.mark-rect.role-mark path");
  const heights = await bars.evaluateAll((paths) => paths.map((path) => path.getBBox().height));
  assert.ok(Math.abs(heights[0] / heights[6] - Math.exp(-0.72)) < 0.02, `bars stand on zero: ${heights}`);
  await page.context().close();
}

async function textStaysText(browser) {
  const page = await open(browser, fixturePage);
  let alerted = false;
  page.on("dialog", () => (alerted = true));
  assert.equal(await page.locator(".summary b, .summary script").count(), 0);
  assert.match(await page.locator(".summary").textContent(), /<\/script><script>alert\(1\)<\/script> & <!-- no comment/);
  assert.match(await page.locator("h2 >> nth=2").textContent(), /<\/script><!--/);
  assert.equal(alerted, false);
  await page.context().close();
}

async function tablesSort(browser) {
  const page = await open(browser, fixturePage);
  const heading = page.locator("table >> nth=0 >> th >> nth=1");
  const sorted = ["0.0091 ± 0.002", "0.0412 ± 0.002", "0.1432 ± 0.002"];
  await heading.locator("button").click();
  assert.deepEqual(await column(page, 1), sorted, "by number");
  assert.equal(await heading.getAttribute("aria-sort"), "ascending");
  await page.keyboard.press("Enter");  // the button has the focus
  assert.deepEqual(await column(page, 1), sorted.toReversed?.() ?? [...sorted].reverse());
  assert.equal(await heading.getAttribute("aria-sort"), "descending");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Space");
  assert.deepEqual(await column(page, 0), ["set <0>", "set <1>", "set <2>"], "by text, from the keyboard");
  assert.equal(await heading.getAttribute("aria-sort"), null);
  await page.context().close();
}

const look = (page) =>
  page.evaluate(() => {
    const style = (selector, property) => getComputedStyle(document.querySelector(selector))[property];
    return {page: style("body", "backgroundColor"), text: style("body", "color"),
            line: style("g.mark-line.role-mark path", "stroke"), label: style("g.role-axis-label text", "fill")};
  });

async function followsTheColourScheme(browser) {
  const page = await open(browser, fixturePage, {colorScheme: "light"});
  const light = await look(page);
  await page.emulateMedia({colorScheme: "dark"});
  const dark = await look(page);
  for (const part of Object.keys(light)) assert.notEqual(light[part], dark[part], part);
  await page.emulateMedia({media: "print", colorScheme: "dark"});
  assert.deepEqual(await look(page), light, "paper is white");
  await page.context().close();
}

async function fitsAPhone(browser, file) {
  const page = await open(browser, file, {viewport: {width: 390, height: 800}});
  const size = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(size[0] <= size[1], `${file} scrolls sideways: ${size}`);
  const widths = await page.$$eval(".plot svg", (drawings) => drawings.map((drawing) => drawing.getBoundingClientRect().right));
  for (const right of widths) assert.ok(right <= 390, `a chart ends at ${right}`);
  await page.context().close();
}

/// Names are read in full, and intervals of named bars are drawn.
async function namesAndIntervals(browser) {
  const page = await open(browser, explainPage, {viewport: {width: 1280, height: 900}});
  const figure = page.locator("figure.chart", {hasText: "Importance of each variable"});
  const names = await figure.locator("g.role-axis-label text").allTextContents();
  assert.ok(names.includes("work class of the person"), `names: ${names}`);
  const ends = await figure.locator("svg g.mark-rule.role-mark line").count();
  assert.equal(ends, 3, "an interval per variable");
  await page.context().close();
}

/// Tables other than large matrices are as wide as the page at most.
async function tablesFit(browser, file, width) {
  const page = await open(browser, file, {viewport: {width, height: 900}});
  const wide = await page.$$eval(".scroll:not(details .scroll)", (boxes) =>
    boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.getAttribute("aria-label")));
  assert.deepEqual(wide, [], `${file} at ${width}`);
  await page.context().close();
}

async function prints(browser) {
  const page = await open(browser, fixturePage, {colorScheme: "dark"});
  await page.emulateMedia({media: "print"});
  assert.equal(await page.locator("nav").isVisible(), false);
  assert.equal(await page.locator(".plot svg").first().isVisible(), true);
  const pdf = await page.pdf({format: "A4", path: join(work, "fixture.pdf")});
  assert.ok(pdf.length > 10000);
  await page.context().close();
}

const browser = await launch(npmFolder);
try {
  await drawsEveryChart(browser, fixturePage, 5);
  await drawsEveryChart(browser, trainPage, 4);
  await drawsMarksOfEveryKind(browser);
  await textStaysText(browser);
  await tablesSort(browser);
  await followsTheColourScheme(browser);
  await drawsEveryChart(browser, explainPage, 6);
  await drawsEveryChart(browser, certifiedPage, 4);
  for (const file of [fixturePage, trainPage, explainPage, certifiedPage]) await fitsAPhone(browser, file);
  await namesAndIntervals(browser);
  for (const width of [900, 1280]) for (const file of [explainPage, certifiedPage]) await tablesFit(browser, file, width);
  await tablesFit(browser, explainPage, 390);
  await prints(browser);
} finally {
  await browser.close();
}
console.log("reports draw, sort, print and fit");
