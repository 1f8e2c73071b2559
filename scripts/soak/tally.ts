/** Observations, invariants and report of the soak. */

import type { Page } from "playwright";

export interface Sighting {
  kind: string;
  /** 0 if there was no response. */
  status: number;
  /** Error code; empty if none. */
  code: string;
  tookMs: number;
  id?: string;
  /** Tokens of the reply, if reported. */
  tokens?: number | undefined;
}

/** Error codes allowed when an engine or a leader tab dies. */
const LOSSES = new Set(["engine_lost", "worker_lost", "engine_failed", "model_load_failed"]);

export class SoakTally {
  readonly faults: string[] = [];
  /** Upper bound of requests cut off by closing tabs. */
  unseen = 0;
  readonly #startedAtMs = Date.now();
  readonly #sightings: Sighting[] = [];
  readonly #disturbances = new Map<string, number>();

  fault(what: string): void {
    this.faults.push(what);
  }

  disturbed(what: string): void {
    this.#disturbances.set(what, (this.#disturbances.get(what) ?? 0) + 1);
  }

  count(sighting: Sighting): void {
    this.#sightings.push(sighting);
    const { kind, status, code } = sighting;
    const isRefusal = kind === "refused" && status === 400;
    const isAnswer = status === 200 && code === "" && kind !== "refused";
    if (!isRefusal && !isAnswer && !LOSSES.has(code)) this.fault(`${kind}: ${status} ${code}`);
  }

  /** One status line. */
  line(): string {
    const seconds = Math.round((Date.now() - this.#startedAtMs) / 1000);
    const lost = this.#sightings.filter(({ code }) => LOSSES.has(code)).length;
    return `${seconds} s: ${this.#sightings.length} requests, ${lost} lost with an engine or a tab, ${this.faults.length} faults`;
  }

  /** Compares the ledger with the observed usage. */
  async judge(page: Page): Promise<void> {
    const { events, verified } = await page.evaluate(async () => {
      const { runtime } = globalThis as unknown as { runtime: import("infetch").Runtime };
      return {
        events: await runtime.usage.list({ limit: 1_000_000 }),
        verified: await runtime.billing.verify(),
      };
    });
    if (!verified.ok) this.fault("the ledger does not add up");
    const recorded = new Map(events.map((event) => [event.requestId, event]));
    if (recorded.size !== events.length) this.fault("a request was recorded twice");
    for (const { id, kind, status, code, tokens } of this.#sightings) {
      if (kind !== "chat" && kind !== "stream") continue;
      const event = id ? recorded.get(id) : undefined;
      const isWhole = status === 200 && code === "";
      if (isWhole && event?.outputTokens !== tokens) {
        this.fault(`${kind} ${id}: told ${tokens} tokens, recorded ${event?.outputTokens}`);
      }
    }
  }

  report(minutes: number): string {
    const kinds = [...new Set(this.#sightings.map(({ kind }) => kind))].sort();
    const rows = kinds.map((kind) => {
      const all = this.#sightings.filter((one) => one.kind === kind);
      const times = all.map(({ tookMs }) => tookMs).sort((one, other) => one - other);
      const at = (part: number): string => `${Math.round(times[Math.floor((times.length - 1) * part)]!)} ms`;
      const lost = all.filter(({ code }) => LOSSES.has(code)).length;
      return `| ${kind} | ${all.length} | ${lost} | ${at(0.5)} | ${at(0.99)} |`;
    });
    return [
      `- Soak of ${minutes} minutes: ${this.#sightings.length} requests, at most ${this.unseen} cut off with their tab.`,
      `- Disturbed: ${[...this.#disturbances].map(([what, times]) => `${what} ${times}×`).join(", ") || "never"}.`,
      `- Faults: ${
        this.faults.length === 0
          ? "none"
          : this.faults
              .slice(0, 20)
              .map((what) => `\n  - ${what}`)
              .join("")
      }`,
      "",
      "| request | times | lost with an engine or a tab | median | 99th percentile |",
      "|---|---|---|---|---|",
      ...rows,
      "",
    ].join("\n");
  }
}
