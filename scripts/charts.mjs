// The charts of a report as one picture, two side by side: node scripts/charts.mjs REPORT.html OUT.png [COUNT]
import {launch, open} from "../tests/report/browser.mjs";

const [report, out, count = "99"] = process.argv.slice(2);
const browser = await launch(process.env.WEFT_NPM_DIR ?? new URL("../build/npm", import.meta.url).pathname);
const page = await open(browser, report, {colorScheme: "light", viewport: {width: 620, height: 900}});
const charts = [];
for (const chart of (await page.locator("figure.chart").all()).slice(0, Number(count))) {
  await chart.locator("details").evaluateAll((all) => all.forEach((details) => details.remove()));
  charts.push((await chart.screenshot()).toString("base64"));
}
await page.setViewportSize({width: 1260, height: 900});
await page.setContent(`<body style="margin:12px;display:grid;grid-template-columns:1fr 1fr;gap:24px;width:1224px">${charts
  .map((chart) => `<img style="width:600px" src="data:image/png;base64,${chart}">`)
  .join("")}</body>`);
await page.screenshot({path: out, fullPage: true});
await browser.close();
