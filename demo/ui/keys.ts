/** Keys that the page handles, and the focus that they move. */

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

/**
 * Keeps the place of keyboard users when the focused element is about to be removed: the focus goes to the list around
 * it if that takes the focus and stays, else to the panel's title. The browser would move it to the top of the page. A
 * list in the menu of a phone has to take it: the menu closes once the panel has the focus.
 */
export function passFocusOn(leaving: Element): void {
  if (document.activeElement !== leaving) return;
  const list = leaving.closest<HTMLElement>(".scroll, .conversations");
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    const next = list?.isConnected ? list : document.querySelector<HTMLElement>("main h1");
    next?.focus({ preventScroll: true });
  });
}
