/** Converts untrusted Markdown of a model to sanitized nodes. */

import createPurifier from "dompurify";
import { h, render } from "preact";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { type Part, partToHTML } from "./markdown-to-html.ts";
import { RenderedParts } from "./rendered-parts.ts";

const purifier = createPurifier(window);

/** No images: a request for one could leak the conversation. No forms, no styles. */
const ALLOWED_TAGS =
  "a b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i li ol p pre s strong sub sup table tbody td th thead tr ul var".split(
    " ",
  );
const ALLOWED_ATTR = ["href", "title", "align", "start"];

/** Their markers, lines and first columns are at the side where their text starts. */
const SIDED = ["UL", "OL", "BLOCKQUOTE", "TABLE"];

purifier.addHook("afterSanitizeAttributes", (node) => {
  // Both scroll, so the keyboard has to reach them.
  if (node.nodeName === "PRE" || node.nodeName === "TABLE") node.setAttribute("tabindex", "0");
  if (SIDED.includes(node.nodeName)) node.setAttribute("dir", "auto");
  if (node.nodeName !== "A") return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer nofollow");
});

/** As `markdown-to-html.ts` begins the items of task lists. */
const CHECKED_OR_NOT = /^\s*[☑☐] /;

/** Shows Markdown in an element; each call replaces the text of the last one. */
export function markdownIn(place: Element): (text: string) => void {
  const parts = new RenderedParts<ChildNode>(place, toNodes);
  return (text) => parts.show(text);
}

function toNodes(part: Part): ChildNode[] {
  const fragment = purifier.sanitize(partToHTML(part), {
    ALLOWED_TAGS,
    ALLOWED_ATTR,
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const block of fragment.querySelectorAll("pre")) addCopyButton(block);
  for (const item of fragment.querySelectorAll("li"))
    if (CHECKED_OR_NOT.test(item.textContent)) item.className = "task";
  const formulas = fragment.querySelectorAll("var");
  if (formulas.length > 0) typesetAll([...formulas]);
  return [...fragment.childNodes];
}

let formulaCode: typeof import("./formulas.ts") | undefined;

/** Without its code, which may not load offline, formulas stay as they are written. */
function typesetAll(formulas: readonly HTMLElement[]): void {
  const work = (code: typeof import("./formulas.ts")): void => {
    formulaCode = code;
    for (const formula of formulas) code.typeset(formula, purifier);
  };
  if (formulaCode) work(formulaCode);
  else void import("./formulas.ts").then(work, () => {});
}

function addCopyButton(block: HTMLElement): void {
  const frame = document.createElement("div");
  frame.className = "code-frame";
  block.replaceWith(frame);
  const corner = document.createElement("span");
  render(h(CopyButton, { text: block.textContent, what: "code" }), corner);
  frame.append(block, corner);
}
