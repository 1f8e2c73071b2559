import { test } from "vitest";
import { compareReplies } from "./support/compare-replies.ts";

test("200 replies of the batch engine are those of web-llm's chat API", () => compareReplies(200), 600_000);
