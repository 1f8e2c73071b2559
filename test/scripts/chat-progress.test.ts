/** The load progress that `npm run chat` prints. */

import { expect, test } from "vitest";
import { progressPrinter } from "../../scripts/chat/progress.ts";

test("a file gets one line for each phase, and one when the load waits for a server", () => {
  const lines: string[] = [];
  const output = { isTTY: false, write: (text: string) => lines.push(text) };
  const print = progressPrinter(output as unknown as NodeJS.WriteStream);
  const load = { type: "progress", model: "a", phase: "download", loadedBytes: 1e6, totalBytes: 2e6 };
  print({ ...load, fraction: 0.4 });
  print({ ...load, fraction: 0.5 });
  const waitsUntil = new Date(2026, 0, 1, 12, 31, 5).getTime();
  print({ ...load, fraction: 0.5, waitsUntil });
  print({ ...load, fraction: 0.5, waitsUntil });
  print({ ...load, phase: "ready", fraction: 1 });
  expect(lines).toEqual([
    "a: reading 40 % (1.0 of 2.0 MB)\n",
    "a: reading 50 % (1.0 of 2.0 MB), waits for the server until 12:31:05\n",
    "a: ready\n",
  ]);
});
