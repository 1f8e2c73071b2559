/** llama.cpp itself writes the inputs of custom tools as their grammars say. */

import { expect, test } from "vitest";
import { customDefinition } from "../../../../worker/endpoints/params/custom-definition.ts";
import type { GenerateRequest } from "../../../../worker/engine-api/chat-engine.ts";
import { completionRequest } from "../../../../worker/engines/llamacpp/completion-request.ts";
import type { InputFormat } from "../../../../worker/json-schema/input-format.ts";
import { checkTools } from "../../../../worker/tools/check-tools.ts";
import { constrainCalls } from "../../../../worker/tools/constraints.ts";
import { InputReader } from "../../../../worker/tools/custom/input-reader.ts";
import { hermes } from "../../../../worker/tools/formats/hermes.ts";
import { xml } from "../../../../worker/tools/formats/xml.ts";
import { neutralSampling } from "../../../support/neutral-sampling.ts";
import { useLlamaInstance } from "../../../support/node-llamacpp.ts";
import { seed } from "../../../support/random.ts";
import { readCalls } from "../../../support/tool-reading.ts";

const instance = useLlamaInstance(512);

const SUM: InputFormat = {
  type: "lark",
  definition: 'start: sum\nsum: atom | sum "+" atom\natom: "1" | "\\"" | "[" sum "]"',
};
/** llama.cpp itself cannot repeat a rule that may be empty. */
const EMPTY: InputFormat = { type: "lark", definition: 'start: item+ "!"\nitem: "1"? | "[" item "]"' };
const CODE: InputFormat = { type: "regex", definition: '[a-c]{2}("|\\\\|\\n)é?' };

test.each([
  ["a regex in JSON", CODE, hermes],
  ["a regex in elements", CODE, xml],
  ["rules that lead to themselves in JSON", SUM, hermes],
  ["rules that lead to themselves in elements", SUM, xml],
  ["rules that may be empty, repeated", EMPTY, hermes],
])("%s", async (_, custom, { callSyntax, callFormat: format }) => {
  const tool = customDefinition({ name: "f", format: custom });
  const checked = checkTools([tool], undefined, callSyntax.dialect);
  if (!checked.ok) throw new Error(checked.message);
  const choice = { mode: "named", name: "f" } as const;
  const request: GenerateRequest = {
    prompt: "Hello",
    cacheScope: "any",
    sampling: { ...neutralSampling, temperature: 1, seed, maxTokens: 200 },
    randomState: 1n,
    reader: { stop: [] },
    constraint: constrainCalls(callSyntax, { choice, tools: checked.tools })!,
  };
  const completion = completionRequest("Hello", request, { contextWindow: 512 }, { mayReuse: false });
  const pieces: string[] = [];
  const take = (step: { text: string }): void => {
    pieces.push(step.text);
  };
  await instance().complete(completion, [], take, new AbortController().signal);
  const typesOf = () => ({ input: "string" });
  const { calls } = readCalls(pieces, { format, names: new Set(["f"]), typesOf });
  const reader = new InputReader();
  const input = reader.push(calls[0]!.arguments);
  if (custom === CODE) {
    expect(input).toMatch(/^[a-c]{2}["\\\n]é?$/);
    return;
  }
  if (custom === EMPTY) {
    expect(input).toMatch(/^[1[\]]*!?$/);
    return;
  }
  // The token limit may cut a sum.
  let reduced = input.replaceAll('"', "1");
  for (let before = ""; before !== reduced; ) {
    before = reduced;
    reduced = reduced.replaceAll("1+1", "1").replaceAll("[1]", "1");
  }
  expect(input.length).toBeGreaterThan(0);
  expect(reduced).toMatch(reader.end() && pieces.length < 200 ? /^1$/ : /^(?:1\+|\[)*1?$/);
});
