/** j: several requests of one model at once. */

import { type Figure, median, pairedRatio, quantile } from "../figures.ts";
import type { LabPage } from "../lab.ts";
import type { Group } from "./group.ts";

const WIDTHS = [1, 2, 4, 8];
const QUICK_WIDTHS = [1, 4];
const GOALS: Record<number, number> = { 4: 2, 8: 2.3 };
const LINES = 200;

export const sideBySide: Group = async (lab, { rounds, isQuick }) => [
  ...(await lab.withPage((page) => widths(page, isQuick ? QUICK_WIDTHS : WIDTHS, rounds))),
  ...(await lab.withPage((page) => alone(page, rounds))),
  ...(await lab.withPage((page) => firstToken(page, rounds))),
  ...(await lab.withPage((page) => sharedPrompt(page, rounds))),
  ...(await lab.withPage((page) => batch(page, isQuick ? LINES / 5 : LINES))),
];

async function widths({ call }: LabPage, counts: number[], rounds: number): Promise<Figure[]> {
  const all = await call("measureWidths", rounds, counts);
  return all.map(({ requests, atOnce, inTurn }) => ({
    group: "j",
    what: requests === 1 ? "1 request" : `${requests} requests at once`,
    infetch: { what: "at once", value: median(atOnce), unit: "tokens/s" },
    baseline: { what: "the same in turn", value: median(inTurn), unit: "tokens/s" },
    result: { value: pairedRatio(atOnce, inTurn), unit: "×" },
    ...(GOALS[requests] === undefined ? {} : { goal: { bound: "at least", value: GOALS[requests] } }),
  }));
}

async function alone({ call }: LabPage, rounds: number): Promise<Figure[]> {
  const { batch, single } = await call("measureAlone", rounds);
  return [
    {
      group: "j",
      what: "1 request alone",
      infetch: { what: "infetch", value: median(batch), unit: "tokens/s" },
      baseline: { what: "infetch on web-llm's chat API", value: median(single), unit: "tokens/s" },
      result: { value: pairedRatio(batch, single), unit: "×" },
      goal: { bound: "at least", value: 0.97 },
    },
  ];
}

async function firstToken({ call }: LabPage, rounds: number): Promise<Figure[]> {
  const { idle, besideChoices, besidePrompt, chunk, step } = await call("measureFirstTokens", rounds);
  const bound = 2 * median(chunk) + 2 * median(step);
  const figure = (what: string, values: number[]): Figure => ({
    group: "j",
    what: `first token of a short request ${what}: later than idle by`,
    infetch: { what: "infetch", value: median(values), unit: "ms" },
    baseline: { what: "idle", value: median(idle), unit: "ms" },
    result: { value: median(values.map((value, round) => value - idle[round]!)), unit: "ms" },
    // Two chunks and two steps, as they take in this run.
    goal: { bound: "at most", value: Math.round(bound) },
  });
  return [
    figure("beside one with `n: 10`", besideChoices),
    figure("beside a prompt of 1,400 tokens", besidePrompt),
  ];
}

async function sharedPrompt({ call }: LabPage, rounds: number): Promise<Figure[]> {
  const all = await call("measureSharedPrompt", rounds);
  const what = `six chats with one system prompt, ${all[0]!.promptTokens.toLocaleString("en")} tokens each`;
  const firstMs = all.map((one) => one.firstMs);
  const laterMs = all.map((one) => median(one.laterMs));
  return [
    {
      group: "j",
      what: `${what}: share of the prompt tokens that is fed`,
      infetch: { what: "infetch", value: median(all.map(({ fedShare }) => fedShare)), unit: "×" },
      result: { value: median(all.map(({ fedShare }) => fedShare)), unit: "×" },
      goal: { bound: "at most", value: 0.3 },
    },
    {
      group: "j",
      what: `${what}: first token of the second to the sixth`,
      infetch: { what: "infetch", value: median(laterMs), unit: "ms" },
      baseline: { what: "the first", value: median(firstMs), unit: "ms" },
      result: { value: pairedRatio(laterMs, firstMs), unit: "×" },
    },
  ];
}

async function batch({ call }: LabPage, lines: number): Promise<Figure[]> {
  const { sideBySide, oneAtATime, idleMs, besideMs } = await call("measureBatch", lines);
  return [
    {
      group: "j",
      what: `a batch of ${lines} lines, \`parallel: 4\``,
      infetch: { what: "infetch", value: sideBySide, unit: "tokens/s" },
      baseline: { what: "`parallel: 1`", value: oneAtATime, unit: "tokens/s" },
      result: { value: sideBySide / oneAtATime, unit: "×" },
    },
    {
      group: "j",
      what: "first token of chats beside that batch, median",
      infetch: { what: "infetch", value: median(besideMs), unit: "ms" },
      baseline: { what: "idle", value: median(idleMs), unit: "ms" },
      result: { value: median(besideMs) - median(idleMs), unit: "ms" },
    },
    {
      group: "j",
      what: "first token of chats beside that batch, longest",
      infetch: { what: "infetch", value: quantile(besideMs, 1), unit: "ms" },
      result: { value: quantile(besideMs, 1), unit: "ms" },
    },
  ];
}
