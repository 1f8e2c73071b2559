/** b: from the engine's first token to the page's first byte. */

import { type Figure, quantile } from "../figures.ts";
import type { Group } from "./group.ts";

export const firstByte: Group = (lab, { isQuick }) =>
  lab.withPage(async ({ call }) => {
    const { bytes, sdk } = await call("measureFirstByte", isQuick ? 25 : 200);
    const figure = (what: string, value: number, goal?: number): Figure => ({
      group: "b",
      what,
      infetch: { what: "after the engine had its first token", value, unit: "ms" },
      result: { value, unit: "ms" },
      ...(goal === undefined ? {} : { goal: { bound: "at most", value: goal } }),
    });
    return [
      figure("first byte in the page, median", quantile(bytes, 0.5), 3),
      figure("first byte in the page, 99th percentile", quantile(bytes, 0.99), 15),
      figure("first chunk from the OpenAI SDK, median", quantile(sdk, 0.5)),
      figure("first chunk from the OpenAI SDK, 99th percentile", quantile(sdk, 0.99)),
    ];
  });
