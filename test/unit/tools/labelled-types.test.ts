/** Kimi K3 writes the type of each argument in front of its value: the two agree in calls that are enforced. */

import { expect, test } from "vitest";
import { kimiK3 } from "../../../worker/tools/formats/kimi-k3.ts";
import { acceptedCalls, callWith } from "./support/accepted-calls.ts";

const VALUES = ["text", 5, true, null, [1], { b: 1 }];
const TYPES = ["string", "number", "boolean", "null", "array", "object"];

test.each([
  ["any value", {}],
  ["a union", { anyOf: TYPES.map((type) => ({ type })) }],
  ["an enum", { enum: VALUES }],
])("%s has the type that its label says", async (_name, schema) => {
  const written = VALUES.map((value) => callWith(kimiK3, value));
  // Text may be anything, so its label is kept.
  const wrong = written.slice(1).flatMap((call, at) =>
    TYPES.slice(1)
      .filter((type) => type !== TYPES[at + 1])
      .map((type) => call.replace(/ type="\w+"/, ` type="${type}"`)),
  );
  expect(await acceptedCalls(kimiK3, schema, [...written, ...wrong])).toEqual([
    ...written.map(() => true),
    ...wrong.map(() => false),
  ]);
});
