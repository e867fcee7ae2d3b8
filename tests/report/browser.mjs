// A headless Chromium, driven by playwright-core from the folder where npm put it.
import {existsSync} from "node:fs";
import {createRequire} from "node:module";
import {join, resolve} from "node:path";

// An upper limit of every wait, not a pause: on a loaded machine Chromium takes minutes where it usually takes seconds.
const timeout = 300_000;
const candidates = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/// What is missing, in words; null where nothing is.
export function missing(npmFolder) {
  if (!existsSync(join(npmFolder, "node_modules/playwright-core"))) return "playwright-core is not installed: ./test fetches it with npm";
  if (!candidates.some((path) => path && existsSync(path))) return "Chromium is not installed (Debian: chromium)";
  return null;
}

export async function launch(npmFolder) {
  const require = createRequire(join(resolve(npmFolder), "package.json"));
  const executablePath = candidates.find((path) => path && existsSync(path));
  return require("playwright-core").chromium.launch({executablePath, timeout, args: ["--no-sandbox", "--disable-gpu"]});
}

/// Opens a file as a page and waits until its charts are drawn; `settings` as for playwright's newContext.
export async function open(browser, file, settings = {}) {
  const context = await browser.newContext({viewport: {width: 1100, height: 900}, offline: true, ...settings});
  context.setDefaultTimeout(timeout);
  const page = await context.newPage();
  page.problems = [];
  page.requests = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.problems.push(message.text()));
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("request", (request) => page.requests.push(request.url()));
  await page.goto(`file://${resolve(file)}`);
  await page.waitForFunction(() => [...document.querySelectorAll(".plot")].every((plot) => plot.querySelector("svg")));
  return page;
}
