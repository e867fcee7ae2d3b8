// The charts of a report as one picture, two side by side: node scripts/charts.mjs REPORT.html OUT.png [0,2,5]
import {launch, open} from "../tests/report/browser.mjs";

const [report, out, wanted] = process.argv.slice(2);
const browser = await launch(process.env.WEFT_NPM_DIR ?? new URL("../build/npm", import.meta.url).pathname);
const page = await open(browser, report, {colorScheme: "light", viewport: {width: 620, height: 900}});
const charts = [];
const all = await page.locator("figure.chart").all();
for (const chart of wanted ? wanted.split(",").map((k) => all[k]) : all) {
  await chart.locator("details").evaluateAll((all) => all.forEach((details) => details.remove()));
  charts.push((await chart.screenshot()).toString("base64"));
}
await page.setViewportSize({width: 1260, height: 900});
await page.setContent(`<body style="margin:12px;display:grid;grid-template-columns:1fr 1fr;gap:24px;width:1224px">${charts
  .map((chart) => `<img style="width:600px" src="data:image/png;base64,${chart}">`)
  .join("")}</body>`);
await page.screenshot({path: out, fullPage: true});
await browser.close();
