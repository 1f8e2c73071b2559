/** The site's menu and links, without building it (`site.slow.test.ts` does). */

import { expect, test } from "vitest";
import { anchorOf } from "../../site/anchor.ts";
import { siteLink } from "../../site/pages.ts";
import { sidebar } from "../../site/sidebar.ts";

test("every page of docs/ is in the menu", () => {
  expect(Object.keys(sidebar())).toEqual(["/decisions/", "/"]);
});

test.each([
  ["docs/models.md", "README.md", "/models.md"],
  ["../README.md#ten-lines", "docs/packaging.md", "/index.md#ten-lines"],
  ["../keys.md#limits", "docs/decisions/053-quotas.md", "/keys.md#limits"],
  ["decisions", "docs/architecture.md", "/decisions/index.md"],
  ["docs/reference/openapi.json", "README.md", "/reference/openapi.json"],
  ["react-chat", "examples/README.md", "/examples/react-chat.md"],
  ["../../examples/rag/main.js", "docs/guides/rag.md", "/examples/rag.md#main-js"],
  ["#limits", "docs/keys.md", "#limits"],
  ["https://example.com/a.md", "README.md", "https://example.com/a.md"],
  ["../demo/service-worker.ts", "docs/tabs-and-offline.md", undefined],
])("%s in %s leads to %s", (href, source, target) => {
  expect(siteLink(href, source)).toBe(target);
});

test("anchors are those of a code host", () => {
  expect(anchorOf("`infetch/port`: the server, in 2 lines")).toBe("infetchport-the-server-in-2-lines");
});
