/** Formats the figures as a table, for the terminal and as Markdown. */

import { type Amount, type Figure, type Goal, isMet, type Unit } from "./figures.ts";
import type { Machine } from "./machine.ts";

const HEAD = ["", "what", "infetch", "baseline", "result", "goal", "met"];

function toRows(figures: readonly Figure[]): string[][] {
  return figures.map((figure) => [
    figure.group,
    figure.what,
    shown(figure.infetch.value, figure.infetch.unit),
    figure.baseline ? shownBaseline(figure.baseline) : "–",
    shown(figure.result.value, figure.result.unit),
    figure.goal ? shownGoal(figure.goal, figure.result.unit) : "–",
    { true: "yes", false: "**no**", undefined: "–" }[String(isMet(figure)) as "true"],
  ]);
}

export function toMarkdownTable(figures: readonly Figure[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(HEAD), line(HEAD.map(() => "---")), ...toRows(figures).map(line)].join("\n");
}

export function toTextTable(figures: readonly Figure[]): string {
  const rows = [HEAD, ...toRows(figures)].map((cells) => cells.map((cell) => cell.replaceAll("*", "")));
  const widths = HEAD.map((_, at) => Math.max(...rows.map((cells) => cells[at]!.length)));
  return rows
    .map((cells) =>
      cells
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

export function toMachineList(machine: Machine): string {
  return [
    `- measured on ${machine.measuredOn} by \`npm run bench\``,
    `- processor: ${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB of memory`,
    `- system: ${machine.system}, Node ${machine.node}`,
    `- browser: ${machine.browser}`,
    `- WebGPU: ${machine.gpu}`,
  ].join("\n");
}

function shownBaseline({ what, value, unit }: Amount): string {
  return `${shown(value, unit)} (${what})`;
}

function shownGoal({ bound, value }: Goal, unit: Unit): string {
  return `${bound === "at least" ? "≥" : "≤"} ${value}${unit === "×" ? "" : ` ${unit}`}`;
}

/** Three significant digits; ratios with two decimals, like the goals. */
function shown(value: number, unit: Unit): string {
  if (unit === "×") return value.toFixed(2);
  if (unit === "tokens") return value.toLocaleString("en");
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const text = value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${text} ${unit}`;
}
