/** Keys that the page handles. */

/** Safari ends a composition before the key that ends it, which has the code 229 (MDN, "keydown"). */
const COMPOSING = 229;

/** True for a key of an input method, which picks or drops a candidate. */
export function isComposing({ isComposing: composes, keyCode }: KeyboardEvent): boolean {
  return composes || keyCode === COMPOSING;
}

/** True for an Escape that nothing else has used, such as an open menu. */
export function isFreeEscape(event: KeyboardEvent): boolean {
  return event.key === "Escape" && !event.defaultPrevented && !isComposing(event);
}
