// The documentation as a reader meets it: built, every link followed, opened from a folder and from a sub-path of a server, in the
// light, in the dark and on a phone. node site_test.mjs NPM_FOLDER PYTHON SOURCE BUILD WORK
import assert from "node:assert/strict";
import {execFileSync, spawnSync} from "node:child_process";
import {createServer} from "node:http";
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync} from "node:fs";
import {extname, join, relative} from "node:path";
import {launch, missing, open} from "../report/browser.mjs";
import {check, pages} from "./links.mjs";

const [npmFolder, python, source, build, work] = process.argv.slice(2);
const modules = spawnSync(python, ["-c", "import sphinx, furo, myst_parser, numpy, sklearn, dask"], {encoding: "utf8"});
const doxygen = spawnSync("doxygen", ["--version"]).status === 0 ? null : "doxygen is not installed";
const lacking = missing(npmFolder) ?? (modules.status ? modules.stderr.trim().split("\n").at(-1) : doxygen);
if (lacking) {
  console.log(`skipped: ${lacking}`);
  process.exit(77);
}
const site = join(work, "html");
rmSync(work, {recursive: true, force: true});
mkdirSync(work, {recursive: true});

const views = {
  light: {colorScheme: "light"},
  dark: {colorScheme: "dark"},
  phone: {colorScheme: "light", viewport: {width: 390, height: 844}, isMobile: true, hasTouch: true},
};

/// Everything that has a page by its source has one on the site.
function hasEveryPage() {
  const expected = readdirSync(join(source, "docs")).filter((name) => name.endsWith(".md")).map((name) => `docs/${name.replace(/md$/, "html")}`);
  const headers = readdirSync(join(source, "include/weft")).filter((name) => name.endsWith(".hpp") && !/^(weft|visibility|fields|choices)\./.test(name));
  expected.push(...headers.map((name) => `reference/cpp/${name.replace(/hpp$/, "html")}`));
  const init = readFileSync(join(source, "python/weft/__init__.py"), "utf8");
  const names = [...init.split("__all__")[1].matchAll(/"([A-Z]\w*)"/g)].map(([, name]) => `reference/python/${name}.html`);
  assert.ok(names.length > 10 && headers.length > 30);
  for (const page of [...expected, ...names]) assert.ok(existsSync(join(site, page)), `there is no ${page}`);
}

/// The reference says what the sources say.
function referenceIsComplete() {
  const text = (page) => readFileSync(join(site, page), "utf8");
  const model = text("reference/cpp/model.html");
  for (const name of ["for_each_prediction", "relevance", "from_bytes"]) assert.match(model, new RegExp(`<span class="n"><span class="pre">${name}</span>`));
  assert.match(text("reference/cpp/methods/lasso.html"), /at most this many features are kept/, "the sentence of a field");
  assert.match(text("reference/python/Regressor.html"), /<strong>effort<\/strong>/);
  assert.match(text("reference/python/Classifier.html"), /id="weft\.Classifier\.predict_proba"/);
  const help = execFileSync(join(build, "bin/weft"), ["--help"], {encoding: "utf8"}).split("Subcommands:\n")[1];
  for (const [, command] of help.matchAll(/^ {2}(\w+) /gm)) assert.match(text("reference/commands.html"), new RegExp(`id="weft-${command}"`));
}

const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function looksRight(browser, path, view, picture) {
  const page = await open(browser, join(site, path), views[view]);
  await page.evaluate(() => document.fonts.ready);
  assert.deepEqual(page.problems, [], `${path}, ${view}`);
  const elsewhere = page.requests.filter((url) => !url.startsWith("file:") && !url.startsWith("data:"));
  assert.deepEqual(elsewhere, [], `${path}, ${view}`);
  assert.ok((await overflow(page)) <= 0, `${path} is wider than the window (${view})`);
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number)[0]);
  assert.ok(view === "dark" ? ground < 80 : ground > 200, `${path}, ${view}: ground ${ground}`);
  assert.equal(await page.$$eval("article img", (images) => images.filter((image) => image.complete && !image.naturalWidth).length), 0);
  if (picture) await page.screenshot({path: join(work, `${path.replaceAll("/", "-").replace(".html", "")}-${view}.png`), fullPage: view === "phone"});
  await page.context().close();
}

/// One page in one tab after the other: a phone must not have to be moved sideways.
async function fitsPhones(browser) {
  const context = await browser.newContext({...views.phone, offline: true});
  const page = await context.newPage();
  for (const path of pages(site)) {
    await page.goto(`file://${path}`, {waitUntil: "load"});
    assert.ok((await overflow(page)) <= 0, `${relative(site, path)} is wider than a phone`);
  }
  await context.close();
}

async function findsWords(browser) {
  const page = await open(browser, join(site, "index.html"));
  await page.fill("input[name=q]", "conformal");
  await page.press("input[name=q]", "Enter");
  await page.waitForFunction(() => document.querySelector(".search-summary")?.innerText.includes("found"));
  const results = await page.$$eval("ul.search li", (items) => items.map((item) => ({to: item.querySelector("a").getAttribute("href"), text: item.innerText})));
  const intervals = results.find((result) => result.to.startsWith("docs/intervals.html"));
  assert.ok(intervals, `conformal is found in ${results.map((result) => result.to)}`);
  assert.match(intervals.text, /conformal/i);
  assert.ok(results.some((result) => result.text.length > result.to.length + 80), "results show the lines around the words");
  assert.deepEqual(page.problems, []);
  await page.screenshot({path: join(work, "search.png")});
  await page.context().close();
}

async function switchesTheme(browser) {
  const page = await open(browser, join(site, "docs/data.html"), views.light);
  const theme = () => page.evaluate(() => document.body.dataset.theme);
  const before = await theme();
  await page.locator(".theme-toggle-header, .theme-toggle-content button, .theme-toggle").locator("visible=true").first().click();
  assert.notEqual(await theme(), before);
  await page.context().close();
}

/// Mathematics have indices and anchors of their sections' numbers.
async function setsFormulas(browser) {
  const page = await open(browser, join(site, "docs/mathematics.html"));
  assert.ok((await page.locator(".formula sub").count()) > 20);
  assert.equal(await page.locator("[id='3.2']").count(), 1);
  assert.equal(await page.locator("article p").filter({hasText: /[a-z]_\{/}).count(), 0, "no index is left as it was typed");
  await page.context().close();
}

/// From http://host/some/where/, as hosts of projects serve it.
async function servesFromSubPath(browser) {
  const types = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png"};
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const file = join(site, path.replace(/^\/some\/where\//, ""));
    if (!path.startsWith("/some/where/") || !existsSync(file)) return response.writeHead(path === "/favicon.ico" ? 204 : 404).end();
    response.writeHead(200, {"content-type": types[extname(file)] ?? "text/plain"}).end(readFileSync(file));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const page = await (await browser.newContext()).newPage();
  const failed = [];
  page.on("response", (response) => response.status() >= 400 && failed.push(response.url()));
  page.on("pageerror", (error) => failed.push(String(error)));
  const base = `http://127.0.0.1:${server.address().port}/some/where`;
  for (const path of ["index.html", "docs/accuracy.html", "examples/regression.html", "reference/cpp/fit.html"]) await page.goto(`${base}/${path}`, {waitUntil: "networkidle"});
  await page.click("text=weft/fit_options.hpp");
  assert.match(page.url(), /\/some\/where\/reference\/cpp\/fit_options\.html/);
  assert.deepEqual(failed, []);
  await page.context().close();
  server.close();
}

execFileSync(python, ["-B", join(source, "docs/site/build.py"), build, site], {stdio: "inherit"});
assert.deepEqual(check(site), []);
hasEveryPage();
referenceIsComplete();
const browser = await launch(npmFolder);
try {
  const shown = ["index.html", "docs/data.html", "docs/mathematics.html", "docs/accuracy.html", "examples/index.html", "examples/classification.html",
    "examples/explain.html", "reference/cpp/model.html", "reference/python/Regressor.html", "reference/commands.html"];
  for (const path of shown) for (const view of Object.keys(views)) await looksRight(browser, path, view, true);
  await fitsPhones(browser);
  await findsWords(browser);
  await switchesTheme(browser);
  await setsFormulas(browser);
  await servesFromSubPath(browser);
} finally {
  await browser.close();
}
console.log(`${pages(site).length} pages; screenshots are in ${work}`);
