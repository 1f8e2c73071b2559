/** The line in the header: what the view that is shown is doing. Each view reports for itself. */

import { element } from "./elements.ts";

/** Reports what a view is doing. */
export type Report = (kind: "ready" | "busy" | "problem", text: string) => void;

export class Status {
  readonly #line = element("state", HTMLElement);
  readonly #reports = new Map<string, Parameters<Report>>();
  #view = "";

  /** The report of the view with this name. */
  reportOf(view: string): Report {
    return (kind, text) => {
      this.#reports.set(view, [kind, text]);
      if (view === this.#view) this.select(view);
    };
  }

  /** Shows what `view` reported last. */
  select(view: string): void {
    this.#view = view;
    const [kind, text] = this.#reports.get(view) ?? [];
    if (kind === undefined || text === undefined) return;
    this.#line.dataset.kind = kind;
    this.#line.textContent = text;
  }
}
