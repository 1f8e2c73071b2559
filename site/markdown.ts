/** Reads documents that are written for a code host: links are paths in the repository, braces are text. */

import { posix } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { root, siteLink } from "./pages.ts";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

/**
 * Rewrites links to pages of the site. A file that is not on the site becomes a link to the repository, or plain text.
 *
 * @param repository address of the repository's files, ending in `/`
 */
export function readRepository(md: MarkdownRenderer, repository: string | undefined): void {
  md.core.ruler.push("repository", ({ tokens, env }) => {
    const source = posix.relative(root, env.realPath ?? env.path);
    for (const inline of tokens) {
      if (!inline.children) continue;
      inline.children = withLinks(inline.children, source, repository);
      for (const token of inline.children) hideBraces(token);
    }
  });
}

function withLinks(tokens: Token[], source: string, repository: string | undefined): Token[] {
  let isPlain = false;
  return tokens.filter((token) => {
    if (token.type === "link_open") {
      const href = token.attrGet("href") ?? "";
      const link = siteLink(href, source) ?? (repository && fileLink(href, source, repository));
      isPlain = link === undefined;
      if (link !== undefined) token.attrSet("href", link);
    }
    return !isPlain || !token.type.startsWith("link_");
  });
}

const fileLink = (href: string, source: string, repository: string): string =>
  `${repository}${posix.join(posix.dirname(source), href)}`;

/** Keeps Vue from reading `{{ … }}` as an expression. */
function hideBraces(token: Token): void {
  if (token.type === "code_inline") token.attrSet("v-pre", "");
  if (token.type === "text") token.content = token.content.replaceAll("{{", "&#123;&#123;");
}
