// Pictures of reports: node scripts/screenshots.mjs REPORT.html OUT.png [light|dark] [WIDTH] [HEIGHT] [SELECTOR]
// HEIGHT 0: the whole page. SELECTOR: the picture begins at this element.
import {launch, open} from "../tests/report/browser.mjs";

const [report, out, colorScheme = "light", width = "1000", height = "0", selector = ""] = process.argv.slice(2);
const browser = await launch(process.env.WEFT_NPM_DIR ?? new URL("../build/npm", import.meta.url).pathname);
const page = await open(browser, report, {colorScheme, viewport: {width: Number(width), height: Number(height) || 900}});
if (selector) await page.locator(selector).evaluate((element) => element.scrollIntoView({behavior: "instant"}));
await page.screenshot({path: out, fullPage: height === "0"});
await browser.close();
