/** The menus of the site. A page of `docs/` that is in none of them fails the build. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DefaultTheme } from "vitepress";
import { root } from "./pages.ts";

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Start: ["packaging", "frameworks", "sdks"],
  Guides: [
    "guides/chat-in-react",
    "guides/rag",
    "guides/agents",
    "guides/offline",
    "batches",
    "guides/costs",
    "guides/hosting-models",
    "testing",
  ],
  Models: ["models", "model-life", "hub", "llamacpp", "images", "embeddings"],
  Features: ["endpoints", "responses", "keys", "billing", "tabs-and-offline", "upstream", "port", "console"],
  Reference: ["reference/api", "reference/errors", "faults", "security", "browsers"],
  Background: ["comparison", "benchmarks", "architecture"],
};

/** Entries beside the pages of `docs/`. */
const OTHERS: Readonly<Record<string, readonly DefaultTheme.SidebarItem[]>> = {
  Start: [
    { text: "Introduction", link: "/" },
    { text: "Examples", link: "/examples/" },
  ],
  Reference: [{ text: "HTTP API", link: "/reference/http" }],
  Background: [
    { text: "Decisions", link: "/decisions/" },
    { text: "Changelog", link: "/changelog" },
    { text: "Contributing", link: "/contributing" },
    { text: "Reporting a vulnerability", link: "/security-policy" },
  ],
};

/** The first heading of a page of `docs/`, without marks. */
function titleOf(page: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(root, "docs", `${page}.md`), "utf8")) ?? [];
  if (!title) throw new Error(`docs/${page}.md has no title.`);
  return title.replaceAll("`", "");
}

function pagesOf(folder: string): string[] {
  return readdirSync(join(root, "docs", folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name.slice(0, -3)));
}

const item = (page: string) => ({ text: titleOf(page), link: `/${page}` });

export const decisions = pagesOf("decisions").sort().map(item);

/** @throws {Error} if a page of `docs/` is in no group */
export function sidebar(): DefaultTheme.SidebarMulti {
  const listed = new Set(Object.values(GROUPS).flat());
  const missing = ["", "guides", "reference"].flatMap(pagesOf).filter((page) => !listed.has(page));
  if (missing.length > 0) throw new Error(`site/sidebar.ts lacks ${missing.join(", ")}.`);
  const groups = Object.entries(GROUPS).map(([text, pages]) => ({
    text,
    items: [...(OTHERS[text] ?? []), ...pages.map(item)],
  }));
  return {
    "/decisions/": [{ text: "Decisions", link: "/decisions/", items: decisions }],
    "/": groups,
  };
}
