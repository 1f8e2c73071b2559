/** Typesets formulas in LaTeX as MathML, which browsers draw. Loaded with the first formula. */

import type createPurifier from "dompurify";
import temml from "temml";

/** Longer ones stay as they are written. */
const MAX_LENGTH = 2000;
/** Of temml's own macros. */
const MAX_EXPANSIONS = 200;
/** Macros of a formula's own would make a megabyte of a short text, and take seconds. */
const DEFINITIONS = /\\(?:[egx]?def|let|futurelet|(?:new|renew|provide)command)(?![A-Za-z])/;
/** Of elements. Firefox takes seconds for hundreds. */
const MAX_DEPTH = 40;
/** Of fractions in fractions. WebKit takes three times as long for each. */
const MAX_FRACTION_DEPTH = 8;
/** A longer one scrolls on a line of its own. */
const MAX_INLINE_LENGTH = 80;
const MAX_KEPT = 200;

/** No lengths, styles or links: a model could cover the page with them. */
const SANITIZED = {
  ALLOWED_TAGS:
    "math mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover".split(
      " ",
    ),
  ALLOWED_ATTR:
    "accent accentunder display displaystyle fence form mathvariant movablelimits separator stretchy".split(
      " ",
    ),
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
};

/** In text, temml writes quotation marks as entities. A sanitizer meets styles too late: the page's policy reports them. */
const STYLES = / style="[^"]*"/g;

/** MathML by formula: while a reply grows, its last part is rendered again and again. */
const kept = new Map<string, string | undefined>();

/** Replaces the text of an element, a formula with its delimiters; one with an error stays as it is. */
export function typeset(element: HTMLElement, purifier: ReturnType<typeof createPurifier>): void {
  const source = element.textContent;
  const isInline = source.startsWith("\\(") && source.length <= MAX_INLINE_LENGTH;
  const math = toMathML(source.slice(2, -2), !source.startsWith("\\("));
  if (math === undefined) return;
  element.replaceChildren(purifier.sanitize(math, SANITIZED));
  element.className = isInline ? "formula" : "formula alone";
  // It scrolls, so the keyboard has to reach it.
  if (!isInline) element.tabIndex = 0;
}

/** @returns undefined if it is no LaTeX that temml knows */
function toMathML(formula: string, displayMode: boolean): string | undefined {
  const key = `${displayMode}${formula}`;
  if (!kept.has(key)) {
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, render(formula, displayMode));
  }
  return kept.get(key);
}

function render(formula: string, displayMode: boolean): string | undefined {
  if (formula.length > MAX_LENGTH || DEFINITIONS.test(formula)) return undefined;
  try {
    const options = { displayMode, throwOnError: true, maxExpand: MAX_EXPANSIONS };
    const math = temml.renderToString(formula, options).replaceAll(STYLES, "");
    const isDeep =
      depthOf(math, /<(\/?)\w/g) > MAX_DEPTH || depthOf(math, /<(\/?)mfrac/g) > MAX_FRACTION_DEPTH;
    return isDeep ? undefined : math;
  } catch {
    // Also of one that nests too deep for temml.
    return undefined;
  }
}

/** @param tags finds them, with their slash */
function depthOf(markup: string, tags: RegExp): number {
  let depth = 0;
  let deepest = 0;
  for (const [, slash] of markup.matchAll(tags)) {
    depth += slash === "" ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
