// The links of a folder of HTML pages, read from the files: what they lead to, and what they would load from elsewhere.
import {existsSync, readdirSync, readFileSync, statSync} from "node:fs";
import {dirname, extname, join, relative} from "node:path";

const unescape = (text) => text.replace(/&amp;/g, "&").replace(/&quot;/g, '"').replace(/&#x27;|&#39;/g, "'").replace(/&lt;/g, "<").replace(/&gt;/g, ">");

export function files(folder) {
  return readdirSync(folder, {withFileTypes: true}).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? files(path) : [path];
  });
}

/// Pages that Sphinx wrote; reports of examples are pages of their own, which tests/report checks.
export const pages = (site) =>
  files(site).filter((path) => extname(path) === ".html" && readFileSync(path, "utf8").includes('id="documentation_options"'));

function read(path) {
  const text = readFileSync(path, "utf8").replace(/<script>[\s\S]*?<\/script>/g, "");
  const tags = [...text.matchAll(/<[a-z][^<>]*>/gi)].map(([tag]) => tag);
  const attribute = (tag, name) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  const values = (names, of) => of.flatMap((tag) => names.map((name) => attribute(tag, name))).filter((value) => value !== undefined).map(unescape);
  return {
    anchors: new Set(values(["id", "name"], tags)),
    links: values(["href"], tags.filter((tag) => /^<a\s/i.test(tag))),
    resources: values(["src", "href", "srcset", "data", "poster"], tags.filter((tag) => !/^<a\s/i.test(tag))),
  };
}

const isExternal = (target) => /^([a-z][a-z0-9+.-]*:|\/)/i.test(target);

/// Complaints about the links of every page; none where all is well.
export function check(site) {
  const known = new Map(pages(site).map((path) => [path, read(path)]));
  const wrong = [];
  for (const [path, page] of known) {
    const from = relative(site, path);
    for (const target of page.resources)
      if (isExternal(target) && !target.startsWith("data:")) wrong.push(`${from} loads ${target}`);
    for (const target of [...page.links, ...page.resources]) {
      if (isExternal(target)) {
        if (!/^(https?|mailto|data):/.test(target)) wrong.push(`${from}: ${target} depends on where the site lies`);
        continue;
      }
      const [file, anchor] = target.split("#");
      const to = file ? join(dirname(path), decodeURIComponent(file.split("?")[0])) : path;
      if (!existsSync(to) || !statSync(to).isFile()) wrong.push(`${from}: there is no ${target}`);
      else if (anchor && known.has(to) && !known.get(to).anchors.has(decodeURIComponent(anchor))) wrong.push(`${from}: ${target} has no such anchor`);
    }
  }
  for (const path of files(site).filter((path) => extname(path) === ".css")) {
    const loaded = [...readFileSync(path, "utf8").matchAll(/(?:@import\s+|url\()\s*["']?([^"')\s;]+)/g)].map(([, target]) => target);
    wrong.push(...loaded.filter((target) => isExternal(target) && !target.startsWith("data:")).map((target) => `${relative(site, path)} loads ${target}`));
  }
  return wrong;
}
