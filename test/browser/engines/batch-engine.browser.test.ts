import { test } from "vitest";
import { compareReplies } from "./support/compare-replies.ts";

test("12 replies of the batch engine are those of web-llm's chat API", () => compareReplies(12));
