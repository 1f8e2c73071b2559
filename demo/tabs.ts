/** The tabs of the header, by the pattern of the ARIA guide: one tab stop, arrows, Home and End choose. */

import { element } from "./elements.ts";

export class Tabs {
  readonly #tabs = [...element("tabs", HTMLElement).querySelectorAll("button")];
  readonly #onSelect: (view: string) => void;

  /** Shows the view that the address names (`#search`), or the first. `onSelect` gets the name of what is shown. */
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
    const named = this.#tabs.find((tab) => `#${tab.name}` === location.hash);
    this.#select(named ?? this.#tabs[0]!);
  }

  #choose(tab: HTMLButtonElement): void {
    // Not an entry of the history: going back should leave the page.
    history.replaceState(null, "", `#${tab.name}`);
    this.#select(tab);
  }

  #select(chosen: HTMLButtonElement): void {
    for (const tab of this.#tabs) {
      const isChosen = tab === chosen;
      tab.ariaSelected = String(isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      element(tab.getAttribute("aria-controls") ?? "", HTMLElement).hidden = !isChosen;
    }
    this.#onSelect(chosen.name);
  }

  #neighbour(tab: HTMLButtonElement, key: string): HTMLButtonElement | undefined {
    const at = this.#tabs.indexOf(tab);
    if (key === "ArrowRight") return this.#tabs[at + 1] ?? this.#tabs[0];
    if (key === "ArrowLeft") return this.#tabs.at(at - 1);
    if (key === "Home") return this.#tabs[0];
    return key === "End" ? this.#tabs.at(-1) : undefined;
  }
}
