/** llama.cpp follows every alternative of a grammar that the text so far may be. */

import { expect, test } from "vitest";
import type { GenerateRequest } from "../../../../worker/engines/api/chat-engine.ts";
import { completionRequest } from "../../../../worker/engines/llamacpp/completion-request.ts";
import { Compilation } from "../../../../worker/json-schema/compilation.ts";
import { compileSchema } from "../../../../worker/json-schema/json-schema.ts";
import { neutralSampling } from "../../../support/neutral-sampling.ts";
import { useLlamaInstance } from "../../../support/node-llamacpp.ts";

const instance = useLlamaInstance(512);

const LEVELS = 20;

/** Two kinds of objects that differ behind the next level only. */
function operation(level: number): Record<string, unknown> {
  if (level === LEVELS) return { type: "null" };
  const left = { $ref: `#/$defs/level${level + 1}` };
  const kinds = ["+", "*"].map((sign) => ({
    type: "object",
    properties: { left, [sign]: { type: "null" } },
    required: ["left", sign],
    additionalProperties: false,
  }));
  return { anyOf: kinds };
}

test("objects that begin alike cost the same at each level of nesting", async () => {
  const levels = Array.from({ length: LEVELS + 1 }, (_, level) => [`level${level}`, operation(level)]);
  const schema = { $defs: Object.fromEntries(levels), $ref: "#/$defs/level0" };
  const compiled = compileSchema(schema, {}, new Compilation());
  if (!compiled.ok) throw new Error(compiled.message);
  const request: GenerateRequest = {
    prompt: "Hello",
    cacheScope: "any",
    sampling: { ...neutralSampling, temperature: 0, maxTokens: 110 },
    randomState: 1n,
    reader: { stop: [] },
    constraint: { type: "grammar", ebnf: compiled.grammar },
  };
  const completion = completionRequest("Hello", request, { contextWindow: 512 }, { mayReuse: false });
  let text = "";
  const take = (step: { text: string }): void => {
    text += step.text;
  };
  await instance().complete(completion, [], take, new AbortController().signal);
  expect(text.split('"left"').length).toBeGreaterThan(14);
});
