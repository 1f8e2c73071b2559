import { test } from "vitest";
import { seed } from "../../support/random.ts";
import { compareReplies } from "./support/compare-replies.ts";

const COUNT = 40;
/** The seed is a date: each day of the month has other prompts. */
const first = (Math.abs(seed) % 100) * COUNT;

test(
  "40 replies of the batch engine are those of web-llm's chat API",
  () => compareReplies(COUNT, first),
  600_000,
);
