import { test } from "vitest";
import { compareReplies } from "./support/compare-replies.ts";

test("40 replies of the batch engine are those of web-llm's chat API", () => compareReplies(40), 600_000);
