/** Every test runs in `npm test`, or on one of two days in `npm run test:slow`. */

import { resolve } from "node:path";
import { expect, test } from "vitest";
import { matching, testFiles } from "../../scripts/test/chromium-only.ts";
import {
  aloneTests,
  inTurn,
  matrixTests,
  notSlowToday,
  restTests,
  selectTests,
} from "../../scripts/test/extent.ts";

const files = await testFiles(resolve(import.meta.dirname, "../.."), "test");
const ALL = { include: ["test/**/*.test.ts"], exclude: ["test/**/*.slow.test.ts"] };

function selected({ include, exclude }: { include: string[]; exclude: string[] }): string[] {
  const left = new Set(matching(files, exclude));
  return matching(files, include).filter((file) => !left.has(file));
}

test.each(Object.keys(restTests) as (keyof typeof restTests)[])("each test of %s has its day", (suite) => {
  const quick = selected(selectTests(suite, ALL, 0, "quick"));
  const days = [0, 1].map((day) => selected(selectTests(suite, ALL, day, "rest")));
  expect([...new Set([...quick, ...days.flat()])].sort()).toEqual(selected(ALL));
  expect(quick.filter((file) => days.flat().includes(file))).toEqual([]);
});

/** The patterns without braces that a pattern stands for. */
function expand(pattern: string): string[] {
  const [whole, choices] = /\{([^{}]*)\}/.exec(pattern) ?? [];
  if (choices === undefined) return [pattern];
  return choices.split(",").flatMap((choice) => expand(pattern.replace(whole!, choice)));
}

test("each list of tests names files that are there", () => {
  const matrix = (["firefox", "webkit"] as const).flatMap((name) => matrixTests(name, 0, "quick"));
  const turns = Object.values(inTurn).flat(2);
  const patterns = [...Object.values(restTests).flat(), ...turns, ...aloneTests, ...matrix].flatMap(expand);
  expect(patterns.filter((pattern) => matching(files, [pattern]).length === 0)).toEqual([]);
});

test("each slow test runs alone, or on one of two days", () => {
  const slow = matching(files, ["test/**/*.slow.test.ts"]);
  const days = [0, 1].map((day) => {
    const left = matching(slow, notSlowToday(day, "rest"));
    return slow.filter((file) => !left.includes(file));
  });
  expect([...new Set([...days.flat(), ...matching(slow, aloneTests)])].sort()).toEqual(slow);
  expect(days[0]).not.toEqual(days[1]);
});

test("on two days Firefox runs each of its tests once, and WebKit all of those too", () => {
  const of = (name: "firefox" | "webkit", day: number) => matching(files, matrixTests(name, day, "rest"));
  const [odd, even] = [of("firefox", 1), of("firefox", 0)];
  expect(odd.filter((file) => even.includes(file))).toEqual([]);
  const inWebKit = [...of("webkit", 0), ...of("webkit", 1)];
  expect([...odd, ...even].filter((file) => !inWebKit.includes(file))).toEqual([]);
});
