/** Formulas of replies: hostile ones stay as they are written, and none takes long to typeset or to draw. */

import { expect, test, vi } from "vitest";
import { typeset } from "../../../demo/panels/chat/markdown/formulas.ts";

/** The MathML of a formula on a line of its own; undefined if it stays as it is written. */
function mathOf(formula: string): string | undefined {
  let math: string | undefined;
  const replaceChildren = (content: string): void => {
    math = content;
  };
  const element = { textContent: `\\[${formula}\\]`, replaceChildren };
  typeset(element as never, { sanitize: vi.fn((text: string) => text) } as never);
  return math;
}

test.each([
  "\\frac{1}{1 + \\frac{1}{1 + \\frac{1}{1 + \\frac{1}{x}}}}",
  "\\begin{pmatrix} a & \\sqrt{\\frac{b^{2}}{c}} \\\\ 0 & \\left(1 + \\frac{1}{n}\\right)^{n} \\end{pmatrix}",
  "\\text{\\{ } x \\mapsto \\begin{cases} 1 & x > 0 \\\\ 0 \\end{cases}",
])("is typeset: %s", (formula) => {
  expect(mathOf(formula)).toContain("<math");
});

const nested = (open: string, close: string, depth: number): string =>
  `${open.repeat(depth)}x${close.repeat(depth)}`;

test.each([
  ["macros whose arguments grow", `\\def\\a#1{${"#1".repeat(100)}}\\a{${"x".repeat(500)}}`],
  ["a macro of many characters", `\\newcommand{\\a}{${"x".repeat(500)}}${"\\a ".repeat(190)}`],
  ["a macro by another name", "\\let\\d\\def\\d\\a{xx}\\a"],
  ["fractions, which take WebKit three times as long for each", nested("\\frac{", "}{y}", 9)],
  ["fractions in parts of others", nested("\\frac{y}{\\sqrt{1 + ", "}}", 9)],
  ["roots, which take Firefox seconds", nested("\\sqrt{", "}", 280)],
  ["fences", nested("\\left(", "\\right)", 100)],
])("stays as it is written: %s", (_, formula) => {
  expect(mathOf(formula)).toBeUndefined();
});
