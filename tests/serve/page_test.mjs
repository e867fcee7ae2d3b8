// The page of weft serve as people use it: typing, sliding, dropping a table, in the light, in the dark, on a phone, from the
// keyboard. node page_test.mjs NPM_FOLDER WEFT WORK_FOLDER; screenshots are left in WORK_FOLDER.
import assert from "node:assert/strict";
import {execFileSync, spawn} from "node:child_process";
import {once} from "node:events";
import {copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {launch, missing} from "../report/browser.mjs";

const [npmFolder, weft, work] = process.argv.slice(2);
const lacking = missing(npmFolder);
if (lacking) {
  console.log(`skipped: ${lacking}`);
  process.exit(77);
}
rmSync(work, {recursive: true, force: true});
mkdirSync(work, {recursive: true});

// Names that would be markup if they were not escaped.
const cities = ["Ulm", "<img src=x onerror=alert(1)>", "Bern \"old\" town"];
const lines = Array.from({length: 300}, (_, i) => {
  const age = 20 + ((i * 7) % 41), size = (Math.sin(i * 0.7) * 40).toFixed(3), when = `20${10 + (i % 9)}-0${1 + (i % 8)}-1${i % 10}`;
  const city = cities[i % 3], price = age * 2 + Math.abs(Number(size)) + 10 * (i % 3) + 0.3 * Math.sin(i);
  return `${age},${size},${when},${i % 2 ? "yes" : "no"},"${city.replaceAll('"', '""')}",${price},${["low", "middle", "high"][Math.min(2, Math.floor(price / 50))]}`;
});
const table = join(work, "houses.csv");
writeFileSync(table, ["age of the house,size <m²>,when,works,city,price,kind", ...lines].join("\n") + "\n");
const run = (...words) => execFileSync(weft, words, {cwd: work, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"]});
const common = ["--fast", "--features", "60", "--quiet"];
run("train", table, "--target", "price", "--drop", "kind", ...common, "--model", "price.weft");
run("train", table, "--target", "price", "--drop", "kind,works", ...common, "--model", "fewer.weft");
run("train", table, "--target", "kind", "--drop", "price", ...common, "--model", "kind.weft");

const servers = [];
async function serve(model, ...options) {
  const server = spawn(weft, ["serve", model, "--port", "0", ...options], {cwd: work, stdio: ["ignore", "pipe", "inherit"]});
  servers.push(server);
  let said = "";
  server.stdout.on("data", (bytes) => (said += bytes));
  while (!said.includes("\n")) await once(server.stdout, "data");
  return said.trim().split(" ").at(-1);
}

async function open(browser, url, settings = {}) {
  const context = await browser.newContext({viewport: {width: 1100, height: 900}, ...settings});
  context.setDefaultTimeout(300_000);
  const page = await context.newPage();
  page.problems = [];
  page.requests = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.problems.push(message.text()));
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("dialog", () => page.problems.push("a dialog"));
  page.on("request", (request) => page.requests.push(request.url()));
  await page.goto(url);
  return page;
}

const settled = (page) => page.waitForFunction(() => document.querySelector("#answer .value, #classes .class") && !document.querySelector("#answer[aria-busy]"));
const drawn = (page) => page.waitForFunction(() => [...document.querySelectorAll("#plot svg g.mark-rect.role-mark path")].filter((bar) => bar.getBBox().width > 0).length > 1);
const value = (page) => page.locator("#answer .value").first().evaluate((node) => node.lastChild.textContent);
const valueChanges = (page, before) => page.waitForFunction((old) => {
  const node = document.querySelector("#answer .value");
  return node && node.lastChild.textContent !== old && !document.querySelector("#answer[aria-busy]");
}, before);
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const picture = (page, name) => page.screenshot({path: join(work, `${name}.png`), fullPage: true});

/// What the page sends, predicted by the command.
async function predictedByCommand(page) {
  const cells = await page.evaluate(() => JSON.parse(row()));
  const quoted = (cell) => (cell === null ? "" : `"${String(cell).replaceAll('"', '""')}"`);
  writeFileSync(join(work, "row.csv"), `${Object.keys(cells).map(quoted).join(",")}\n${Object.values(cells).map(quoted).join(",")}\n`);
  return Number(run("predict", "price.weft", "row.csv").split("\n")[1]);
}

async function showsAPrediction(browser, url) {
  const page = await open(browser, url);
  await settled(page);
  await page.waitForFunction(() => document.getElementById("about").textContent.startsWith("This is the row with which others"));
  assert.equal(await page.locator("#plot").isVisible(), false, "nothing is drawn where nothing is added");
  assert.equal(await page.locator("#row .field").count(), 5);
  assert.equal(await page.locator("#row input[type=range]").count(), 2, "a slider per number");
  const close = async () => assert.ok(Math.abs(Number(await value(page)) - (await predictedByCommand(page))) < 1e-3, "the command predicts the same");
  await close();
  assert.match(await page.locator(".between").innerText(), /^from -?[\d.]+ to -?[\d.]+$/);
  const before = await value(page);
  await page.getByLabel("age of the house", {exact: true}).fill("58");
  await valueChanges(page, before);
  await close();
  assert.equal(await page.getByLabel("age of the house, slider").inputValue(), "58", "the slider follows");
  const wide = await page.locator(".between").innerText();
  await page.getByLabel("Cover", {exact: true}).selectOption("0.95");
  await page.waitForFunction((old) => document.querySelector(".between")?.innerText !== old, wide);
  await page.getByLabel("size <m²>", {exact: true}).fill("-30.5");
  await page.getByLabel("city", {exact: true}).selectOption(cities[1]);
  await page.waitForFunction((name) => [...document.querySelectorAll("#parts td")].some((cell) => cell.textContent.includes(name)), cities[1]);
  await drawn(page);
  await picture(page, "light");
  assert.deepEqual(page.problems, []);
  assert.deepEqual([...new Set(page.requests.map((address) => new URL(address).origin))], [new URL(url).origin]);
  await page.context().close();
}

async function worksFromTheKeyboard(browser, url) {
  const page = await open(browser, url);
  await settled(page);
  const before = await value(page);
  await page.keyboard.press("Tab");
  const visited = [];
  for (let k = 0; k < 12; ++k) {
    visited.push(await page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent));
    await page.keyboard.press("Tab");
  }
  for (const name of ["age of the house", "age of the house, slider", "size <m²>", "when", "works", "city", "Typical values"])
    assert.ok(visited.includes(name), `${name} is among ${visited}`);
  await page.getByLabel("age of the house, slider").focus();
  for (let k = 0; k < 5; ++k) await page.keyboard.press("ArrowRight");
  await valueChanges(page, before);
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.notEqual(outline, "none", "the focus is seen");
  await page.getByRole("button", {name: "Typical values"}).focus();
  const moved = await value(page);
  await page.keyboard.press("Enter");
  await valueChanges(page, moved);
  assert.equal(await value(page), before);
  assert.deepEqual(page.problems, []);
  await page.context().close();
}

async function saysWhatIsWrong(browser, url) {
  const page = await open(browser, url);
  await settled(page);
  await page.getByLabel("age of the house", {exact: true}).fill("old");
  await page.waitForFunction(() => !document.getElementById("problem").hidden);
  assert.match(await page.locator("#problem").innerText(), /row 1: 'old' is not a number.*; /);
  await page.getByLabel("age of the house", {exact: true}).fill("");
  await settled(page);
  assert.equal(await page.locator("#problem").isVisible(), false, "a missing cell is predicted");
  await page.context().close();
}

async function predictsATable(browser, url) {
  const page = await open(browser, url);
  await settled(page);
  await page.locator("#file").setInputFiles(table);
  await page.waitForFunction(() => !document.getElementById("table-answer").hidden);
  assert.equal(await page.locator("#preview tbody tr").count(), 20);
  assert.match(await page.locator("#table-count").innerText(), /^300 rows/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#download").click()]);
  assert.equal(download.suggestedFilename(), "houses-predictions.csv");
  const saved = readFileSync(await download.path(), "utf8");
  assert.equal(saved, run("predict", "price.weft", table, "--rows", "--interval", "0.9"), "all of it, to the last digit");
  // Dropped, as from a folder.
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["age of the house,city\n1,Ulm\n"], "wrong.csv"));
    return transfer;
  });
  await page.dispatchEvent("#drop", "drop", {dataTransfer: data});
  await page.waitForFunction(() => !document.getElementById("table-problem").hidden);
  assert.match(await page.locator("#table-problem").innerText(), /there is no column 'size <m²>'/);
  await page.context().close();
}

async function showsClasses(browser, url) {
  const page = await open(browser, url);
  await settled(page);
  await drawn(page);
  assert.equal(await page.locator("#classes .class").count(), 3);
  const shares = await page.$$eval("#classes progress", (bars) => bars.map((bar) => bar.value));
  assert.ok(Math.abs(shares.reduce((sum, share) => sum + share) - 1) < 1e-9);
  assert.match(await page.locator(".between").innerText(), /^not ruled out: /);
  assert.equal(await page.locator("#output option").count(), 3);
  const about = await page.locator("#about").innerText();
  await page.locator("#output").selectOption({index: 2});
  assert.notEqual(await page.locator("#about").innerText(), about);
  await picture(page, "classes");
  assert.deepEqual(page.problems, []);
  await page.context().close();
}

async function fits(browser, url, name, settings) {
  const page = await open(browser, url, settings);
  await settled(page);
  await page.getByLabel("age of the house", {exact: true}).fill("55");
  await page.getByLabel("size <m²>", {exact: true}).fill("-30.5");
  await page.getByLabel("city", {exact: true}).selectOption("Ulm");
  await drawn(page);
  await page.locator("#file").setInputFiles(table);
  await page.waitForFunction(() => !document.getElementById("table-answer").hidden);
  assert.ok((await overflow(page)) <= 0, `${name} is wider than the window`);
  const ground = await page.evaluate(() => Number(getComputedStyle(document.body).backgroundColor.match(/\d+/)[0]));
  assert.ok(settings.colorScheme === "dark" ? ground < 80 : ground > 200);
  await picture(page, name);
  assert.deepEqual(page.problems, []);
  await page.context().close();
}

async function asksForTheToken(browser, url, token) {
  const page = await open(browser, url);
  await page.waitForFunction(() => !document.getElementById("token-form").hidden);
  assert.equal(await page.locator("main").isVisible(), false);
  await page.locator("#token").fill("wrong");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.getElementById("problem").hidden);
  await page.locator("#token").fill(token);
  await page.keyboard.press("Enter");
  await settled(page);
  await page.context().close();
}

/// A model with other columns takes over while the page is open.
async function followsTheModel(browser, url) {
  const page = await open(browser, url);
  await settled(page);
  const before = await page.evaluate(() => model.id);
  copyFileSync(join(work, "fewer.weft"), join(work, "next.weft"));
  renameSync(join(work, "next.weft"), join(work, "changing.weft"));
  while ((await (await fetch(`${url}/model`)).json()).id === before) await new Promise((done) => setTimeout(done, 50));
  await page.getByLabel("age of the house", {exact: true}).fill("33");
  await page.waitForFunction(() => document.querySelectorAll("#row .field").length === 4);
  await settled(page);
  assert.equal(await page.getByLabel("age of the house", {exact: true}).inputValue(), "33", "values are kept");
  await page.context().close();
}

const browser = await launch(npmFolder);
try {
  const price = await serve("price.weft");
  await showsAPrediction(browser, price);
  await worksFromTheKeyboard(browser, price);
  await saysWhatIsWrong(browser, price);
  await predictsATable(browser, price);
  await fits(browser, price, "dark", {colorScheme: "dark"});
  await fits(browser, price, "phone", {colorScheme: "light", viewport: {width: 390, height: 844}, isMobile: true, hasTouch: true});
  await fits(browser, price, "wide", {colorScheme: "light", viewport: {width: 1700, height: 1000}});
  await showsClasses(browser, await serve("kind.weft", "--background", table));
  const token = "0123456789abcdef0123456789abcdef";
  writeFileSync(join(work, "token"), token + "\n");
  await asksForTheToken(browser, await serve("price.weft", "--token-file", "token"), token);
  copyFileSync(join(work, "price.weft"), join(work, "changing.weft"));
  await followsTheModel(browser, await serve("changing.weft"));
} finally {
  await browser.close();
  for (const server of servers) server.kill("SIGTERM");
}
for (const server of servers) if (server.exitCode === null) await once(server, "exit");
assert.deepEqual(servers.map((server) => server.exitCode), servers.map(() => 0), "servers end cleanly");
console.log(`the page predicts, explains, follows and fits; screenshots are in ${work}`);
