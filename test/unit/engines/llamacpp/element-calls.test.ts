/** llama.cpp itself writes calls whose arguments are elements as it must. */

import { expect, test } from "vitest";
import type { GenerateRequest } from "../../../../worker/engine-api/chat-engine.ts";
import { completionRequest } from "../../../../worker/engines/llamacpp/completion-request.ts";
import { checkTools } from "../../../../worker/tools/check-tools.ts";
import { constrainCalls } from "../../../../worker/tools/constraints.ts";
import { glm45, glm47 } from "../../../../worker/tools/formats/glm.ts";
import { minimax } from "../../../../worker/tools/formats/minimax.ts";
import { seedOss } from "../../../../worker/tools/formats/xml.ts";
import { parameterTypes } from "../../../../worker/tools/parameter-types.ts";
import type { ToolDefinition } from "../../../../worker/tools/tool-types.ts";
import { neutralSampling } from "../../../support/neutral-sampling.ts";
import { useLlamaInstance } from "../../../support/node-llamacpp.ts";
import { ofTheDay, seed } from "../../../support/random.ts";
import { readCalls } from "../../../support/tool-reading.ts";

const instance = useLlamaInstance(512);

const parameters = {
  type: "object",
  properties: {
    on: { type: "boolean" },
    size: { enum: ["5", "10"] },
    list: { type: "array", items: { enum: [1, 2] }, minItems: 1, maxItems: 2 },
  },
  required: ["on", "size", "list"],
  additionalProperties: false,
};
const tools = ["pick", "pick_all"].map(
  (name): ToolDefinition => ({ type: "function", function: { name, parameters, strict: true } }),
);
const types = parameterTypes(tools);

// Each takes llama.cpp five seconds.
test.each(ofTheDay([seedOss, minimax, glm45, glm47]))("$name", async ({ callSyntax, callFormat: format }) => {
  const checked = checkTools(tools, undefined, callSyntax.dialect);
  if (!checked.ok) throw new Error(checked.message);
  const choice = { mode: "required" } as const;
  const constraint = constrainCalls(callSyntax, { choice, tools: checked.tools, parallel: false })!;
  const request: GenerateRequest = {
    prompt: "Hello",
    cacheScope: "any",
    sampling: { ...neutralSampling, temperature: 1, seed, maxTokens: 400 },
    randomState: 1n,
    reader: { stop: [] },
    constraint,
  };
  const completion = completionRequest("Hello", request, { contextWindow: 512 }, { mayReuse: false });
  const pieces: string[] = [];
  const take = (step: { text: string }): void => {
    pieces.push(step.text);
  };
  await instance().complete(completion, [], take, new AbortController().signal);
  const typesOf = (name: string) => types[name]!;
  const { calls, text } = readCalls(pieces, { format, names: new Set(Object.keys(types)), typesOf });
  expect([calls.length, text], pieces.join("")).toEqual([1, ""]);
  const { on, size, list } = JSON.parse(calls[0]!.arguments);
  expect([true, false]).toContain(on);
  expect(["5", "10"]).toContain(size);
  expect([1, 2]).toEqual(expect.arrayContaining(list));
});
