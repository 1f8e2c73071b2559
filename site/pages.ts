/** The pages of the site: which file of the repository each is made from, and where a file's links lead. */

import { readdirSync } from "node:fs";
import { posix, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "..");

/** Example apps: folders of `examples/`, each a page that shows its files. */
export const examples: readonly string[] = readdirSync(resolve(root, "examples"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Files of the repository that are copied as they are. */
export const COPIED: Readonly<Record<string, string>> = {
  "docs/reference/openapi.json": "reference/openapi.json",
  "demo/icon.svg": "icon.svg",
  NOTICE: "NOTICE.txt",
};

/** VitePress's `rewrites`: path in the repository → path on the site. */
export const REWRITES: Readonly<Record<string, string>> = {
  "README.md": "index.md",
  "CHANGELOG.md": "changelog.md",
  "CONTRIBUTING.md": "contributing.md",
  "SECURITY.md": "security-policy.md",
  "examples/README.md": "examples/index.md",
  "docs/:path(.*)": ":path",
  "site/:path(.*)": ":path",
};

/** Anchor of a file on the page of its example. */
export const fileAnchor = (path: string): string => path.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/**
 * Where a link of a file leads on the site.
 *
 * @param source path in the repository of the file with the link
 * @returns an address for VitePress, or undefined for a file of the repository that is not on the site
 */
export function siteLink(href: string, source: string): string | undefined {
  if (/^(?:[a-z]+:|[#/])/i.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const hash = anchor === undefined ? "" : `#${anchor}`;
  const target = posix.join(posix.dirname(source), path).replace(/\/$/, "");
  const page = REWRITES[target] ?? /^docs\/(.+\.md)$/.exec(target)?.[1];
  if (page) return `/${page}${hash}`;
  if (COPIED[target]) return `/${COPIED[target]}`;
  if (target === "docs/decisions" || target === "examples") return `/${posix.basename(target)}/index.md`;
  const [, example = "", file] = /^examples\/([^/]+)(?:\/(.+))?$/.exec(target) ?? [];
  if (!examples.includes(example)) return undefined;
  return `/examples/${example}.md${file === undefined ? "" : `#${fileAnchor(file)}`}`;
}
