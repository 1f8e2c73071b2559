/** Reads documents that are written for a code host: links are paths in the repository, braces are text. */

import { existsSync, readFileSync } from "node:fs";
import { extname, join, posix } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { root, siteLink } from "./pages.ts";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

/**
 * Rewrites links to pages of the site: a file that is not on the site becomes a link to the repository, or plain text.
 * Below a paragraph that is only a link to a file of an example, adds the file.
 *
 * @param repository address of the repository's files, ending in `/`
 */
export function readRepository(md: MarkdownRenderer, repository: string | undefined): void {
  md.core.ruler.push("repository", (state) => {
    const source = posix.relative(root, state.env.realPath ?? state.env.path);
    state.tokens = state.tokens.flatMap((token, at, tokens) => {
      const file = token.type === "paragraph_close" && exampleOf(tokens[at - 1]!, source);
      if (!file) return [token];
      const fence = new state.Token("fence", "code", 0);
      const content = readFileSync(join(root, file), "utf8");
      return [token, Object.assign(fence, { content, info: extname(file).slice(1), markup: "```" })];
    });
    for (const inline of state.tokens) {
      if (!inline.children) continue;
      inline.children = withLinks(inline.children, source, repository);
      for (const token of inline.children) hideBraces(token);
    }
  });
}

const targetOf = (href: string, source: string): string => posix.join(posix.dirname(source), href);

/** The file of an example, if that is all that a paragraph links to. */
function exampleOf({ children }: Token, source: string): string | undefined {
  if (children?.length !== 3 || children[0]!.type !== "link_open") return undefined;
  const file = targetOf(children[0]!.attrGet("href") ?? "", source);
  return /^examples\/.+\.\w+$/.test(file) && existsSync(join(root, file)) ? file : undefined;
}

function withLinks(tokens: Token[], source: string, repository: string | undefined): Token[] {
  let isPlain = false;
  return tokens.filter((token) => {
    if (token.type === "link_open") {
      const href = token.attrGet("href") ?? "";
      const link = siteLink(href, source) ?? (repository && `${repository}${targetOf(href, source)}`);
      isPlain = link === undefined;
      if (link !== undefined) token.attrSet("href", link);
    }
    return !isPlain || !token.type.startsWith("link_");
  });
}

/** Keeps Vue from reading `{{ … }}` as an expression. */
function hideBraces(token: Token): void {
  if (token.type === "code_inline") token.attrSet("v-pre", "");
  if (token.type === "text") token.content = token.content.replaceAll("{{", "&#123;&#123;");
}
