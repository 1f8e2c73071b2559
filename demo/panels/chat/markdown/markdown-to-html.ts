/** Converts Markdown of a model to HTML that is not yet sanitized. Independent of the DOM. */

import { Marked, type Tokens, type TokensList } from "marked";
import { type Block, definitionsOf, endsFence, splitBlocks } from "./markdown-blocks.ts";

/** A longer block is shown as text. */
const MAX_LENGTH = 10_000;
/** Marks that make `marked` scan the rest of its text: emphasis, code, links, tags. */
const SCANNING = "*_~`[!<";
/** Characters that `marked` may scan per character of a block. Ordinary paragraphs take about 20. */
const MAX_SCANNED = 100;
/** From each character of an address or of white space, `marked` looks ahead to its end. */
const MAX_RUN = 1000;
const RUNS = /[!-~]+|\s+/g;

/** What `marked` may still scan of the current block. */
let left = 0;

/** @throws if too much is scanned. Otherwise false: the default tokenizer goes on. */
function scan(length: number): false {
  left -= length;
  if (left < 0) throw new Error("The text is scanned too often.");
  return false;
}

const CONTAINER = /^ {0,3}(?:[-*+>]|\d{1,9}[.)])/;
const scanContainer = (text: string): false => CONTAINER.test(text) && scan(text.length);

const FORMULA = /^(?:\\\(.+?\\\)|\\\[.+?\\\]|\$\$.+?\$\$)/s;

interface Formula extends Tokens.Codespan {
  isFormula: true;
}

/** Formulas in LaTeX stay as they are written: as Markdown they would lose backslashes. */
function formulaIn(text: string): Formula | undefined {
  if (!/^(?:\\[([]|\$\$)/.test(text)) return undefined;
  scan(text.length);
  const [raw] = FORMULA.exec(text) ?? [];
  return raw === undefined ? undefined : { type: "codespan", raw, text: raw, isFormula: true };
}

/** HTML in Markdown is shown as text: a model's `<b>` is usually an example. */
const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) => escapeMarkup(text),
    // Nothing else is a `var`: `formulas.ts` typesets it. `false` asks the default renderer.
    codespan: (token) => "isFormula" in token && `<var>${escapeMarkup(token.text)}</var>`,
    image: ({ text }) => escapeMarkup(text),
    // Form fields are not allowed in replies: a character shows the state.
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
  },
  tokenizer: {
    // The first to be asked at each position of a line.
    escape: (text) =>
      // `false` asks the default tokenizer.
      (formulaIn(text) as Tokens.Escape | undefined) ??
      (SCANNING.includes(text.charAt(0)) && scan(text.length)),
    list: scanContainer,
    blockquote: scanContainer,
  },
});

export interface Part {
  block: Block;
  /** Definitions of links that the block may refer to. */
  definitions: string;
}

/** The parts of a text; an equal part has equal HTML. */
export function partsOf(text: string): Part[] {
  const blocks = splitBlocks(text.replaceAll("\r\n", "\n"));
  const definitions = definitionsOf(blocks);
  return blocks.map((block) => ({ block, definitions: block.text.includes("[") ? definitions : "" }));
}

/** Text that would take `marked` long, such as a model's endless `> > >` or `*a **b`, stays as it is. */
export function partToHTML({ block, definitions }: Part): string {
  const { type, text } = block;
  if (type === "code") return codeToHTML(text);
  if (text.length > MAX_LENGTH || hasLongRun(text)) return textToHTML(text);
  const links = linksOf(definitions);
  left = MAX_SCANNED * text.length;
  try {
    const lexer = new marked.Lexer(marked.defaults);
    lexer.tokens.links = links;
    return marked.parser(lexer.lex(text));
  } catch {
    return textToHTML(text);
  }
}

function hasLongRun(text: string): boolean {
  return text.match(RUNS)?.some((run) => run.length > MAX_RUN) ?? false;
}

export function markdownToHTML(text: string): string {
  return partsOf(text).map(partToHTML).join("");
}

let lastDefinitions = "";
let lastLinks: TokensList["links"] = {};

function linksOf(definitions: string): TokensList["links"] {
  if (definitions !== lastDefinitions) {
    left = MAX_SCANNED * definitions.length;
    lastDefinitions = definitions;
    lastLinks = {};
    try {
      lastLinks = new marked.Lexer(marked.defaults).lex(definitions).links;
    } catch {
      // Without definitions, references stay text.
    }
  }
  return lastLinks;
}

/** Fenced code, with or without its end, whatever its length. */
function codeToHTML(text: string): string {
  const [, indent = "", marks = ""] = /^( *)(`+|~+)/.exec(text) ?? [];
  const lines = text.replace(/\n$/, "").split("\n").slice(1);
  if (endsFence(lines.at(-1) ?? "", marks)) lines.pop();
  const code = lines.map((line) => line.slice(Math.min(indent.length, line.search(/[^ ]|$/)))).join("\n");
  return `<pre><code>${escapeMarkup(code)}\n</code></pre>\n`;
}

function textToHTML(text: string): string {
  return `<p>${escapeMarkup(text.replace(/\n$/, "")).replaceAll("\n", "<br>")}</p>`;
}

function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
