/** The tabs of the header, by the pattern of the ARIA guide: one tab stop, arrows, Home and End choose. */

import { element } from "./elements.ts";

export class Tabs {
  readonly #tabs = [...element("tabs", HTMLElement).querySelectorAll<HTMLElement>('[role="tab"]')];
  readonly #onSelect: (view: string) => void;

  /** Shows the view that the address names (`#search`), or the first. `onSelect` gets the id of what is shown. */
  constructor(onSelect: (view: string) => void) {
    this.#onSelect = onSelect;
    for (const tab of this.#tabs) {
      tab.addEventListener("click", () => this.#choose(tab));
      tab.addEventListener("keydown", (event) => {
        const next = this.#neighbour(tab, event.key);
        if (!next) return;
        event.preventDefault();
        this.#choose(next);
        next.focus();
      });
    }
    window.addEventListener("hashchange", () => this.#selectNamed());
    this.#selectNamed();
  }

  #selectNamed(): void {
    const named = this.#tabs.find((tab) => `#${viewOf(tab)}` === location.hash);
    this.#select(named ?? this.#tabs[0]!);
  }

  #choose(tab: HTMLElement): void {
    // Not an entry of the history: going back should leave the page.
    history.replaceState(null, "", `#${viewOf(tab)}`);
    this.#select(tab);
  }

  #select(chosen: HTMLElement): void {
    for (const tab of this.#tabs) {
      const isChosen = tab === chosen;
      tab.ariaSelected = String(isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      element(viewOf(tab), HTMLElement).hidden = !isChosen;
    }
    this.#onSelect(viewOf(chosen));
  }

  #neighbour(tab: HTMLElement, key: string): HTMLElement | undefined {
    const at = this.#tabs.indexOf(tab);
    if (key === "ArrowRight") return this.#tabs[at + 1] ?? this.#tabs[0];
    if (key === "ArrowLeft") return this.#tabs.at(at - 1);
    if (key === "Home") return this.#tabs[0];
    return key === "End" ? this.#tabs.at(-1) : undefined;
  }
}

function viewOf(tab: HTMLElement): string {
  return tab.getAttribute("aria-controls") ?? "";
}
