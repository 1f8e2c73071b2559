/** llama.cpp follows every alternative of a grammar that the text so far may be. */

import { expect, test } from "vitest";
import type { GenerateRequest } from "../../../../worker/engine-api/chat-engine.ts";
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

/** What the model writes at temperature 0 when held to the schema. */
async function written(schema: object, maxTokens: number): Promise<string> {
  const compiled = compileSchema(schema, {}, new Compilation());
  if (!compiled.ok) throw new Error(compiled.message);
  const request: GenerateRequest = {
    prompt: "Hello",
    cacheScope: "any",
    sampling: { ...neutralSampling, temperature: 0, maxTokens },
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
  return text;
}

test("objects that begin alike cost the same at each level of nesting", async () => {
  const levels = Array.from({ length: LEVELS + 1 }, (_, level) => [`level${level}`, operation(level)]);
  const schema = { $defs: Object.fromEntries(levels), $ref: "#/$defs/level0" };
  expect((await written(schema, 110)).split('"left"').length).toBeGreaterThan(14);
});

test("a union that leads to itself is one of its other options", async () => {
  const $defs = {
    one: { anyOf: [{ $ref: "#/$defs/other" }, { type: "boolean" }] },
    other: { anyOf: [{ $ref: "#/$defs/one" }, { type: "null" }] },
  };
  expect(await written({ $defs, $ref: "#/$defs/one" }, 20)).toMatch(/^(true|false|null)$/);
});
