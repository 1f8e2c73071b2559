/** What a reply in OpenAI's harmony format may be under a constraint, and that its grammar compiles for both engines. */

import { beforeAll, expect, test } from "vitest";
import type { Constraint } from "../../../worker/engine-api/constraint.ts";
import { toGbnf } from "../../../worker/engines/llamacpp/grammar/gbnf.ts";
import { toConstraint } from "../../../worker/generation/calls/constrained.ts";
import type { ChatRequest } from "../../../worker/generation/chat-request.ts";
import type { ChatPrompt } from "../../../worker/generation/rendering/chat-prompt.ts";
import { checkTools } from "../../../worker/tools/check-tools.ts";
import { harmony } from "../../../worker/tools/formats/harmony.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

let engine: GrammarEngine;
beforeAll(async () => {
  engine = await GrammarEngine.load();
});

const parameters = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
const tools = ["f", "fg"].map((name) => ({ type: "function" as const, function: { name, parameters } }));
const THOUGHT = "<|channel|>analysis<|message|>to=functions.f?<|end|><|start|>assistant";
const FINAL = "<|channel|>final<|message|>";
const F = '<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": 1}';
const G = '<|channel|>commentary to=functions.fg json<|message|>{"a":2}';
const WRONG = '<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": "x"}';
const NEXT = "<|end|><|start|>assistant";

async function constraintOf(
  chat: Partial<ChatRequest>,
  { message = "assistant", mayThink = true, calls = true } = {},
): Promise<Constraint> {
  const checked = checkTools(tools);
  if (!checked.ok) throw new Error(checked.message);
  const request = {
    tools,
    callable: checked.tools,
    toolChoice: { mode: "auto" },
    parallelToolCalls: true,
    responseFormat: { type: "text" },
    ...chat,
  } as unknown as ChatRequest;
  const planned: ChatPrompt = {
    prompt: "",
    mayThink,
    reasoning: {
      open: "<|channel|>analysis<|message|>",
      close: "<|end|>",
      messages: { kind: "harmony", begun: message },
      ...(message.includes("analysis") ? { startsInside: true } : {}),
    },
    ...(calls ? { toolFormat: harmony } : {}),
  };
  return (await toConstraint(request, planned, AbortSignal.timeout(10_000)))!;
}

const JSON_FORMAT = { responseFormat: { type: "json_object", grammar: 'root ::= "{}"' } } as const;
const named = { toolChoice: { mode: "named", name: "f" } } as const;
const required = { toolChoice: { mode: "required" } } as const;

test.each<
  [
    name: string,
    chat: Partial<ChatRequest>,
    options: Parameters<typeof constraintOf>[1],
    allowed: string[],
    refused: string[],
  ]
>([
  [
    "auto",
    {},
    {},
    [
      "",
      `${THOUGHT}${FINAL}Hi`,
      THOUGHT + F,
      `${THOUGHT} to=functions.fg<|channel|>commentary json<|message|>{"a": 1}`,
      '<|channel|>analysis to=functions.f<|message|>{"a": 1}',
      F + NEXT + G,
    ],
    [
      WRONG,
      THOUGHT + WRONG,
      `${THOUGHT} to=functions.f<|channel|>commentary json<|message|>{"a": "x"}`,
      '<|channel|>analysis to=functions.f<|message|>{"b": 1}',
      "<|channel|>commentary to=functions.x json<|message|>{}",
      '<|channel|>commentary to=functions.fjson<|message|>{"a": 1}',
      F + NEXT + WRONG,
    ],
  ],
  ["one call", { parallelToolCalls: false }, {}, [F, THOUGHT + G], [F + NEXT + G]],
  [
    "required",
    required,
    {},
    [F, G, THOUGHT + F, F + NEXT + G],
    [`${FINAL}Hi`, "Hi", WRONG, `${THOUGHT}${FINAL}Hi`],
  ],
  ["required without a thought", required, { mayThink: false }, [F, G], [THOUGHT + F, `${FINAL}Hi`]],
  ["a named function", named, {}, [F, THOUGHT + F], [G, F + NEXT + F, `${FINAL}Hi`]],
  [
    "JSON",
    JSON_FORMAT,
    { calls: false },
    [`${FINAL}{}`, `${THOUGHT}${FINAL}{}`],
    ["{}", `${FINAL}Hi`, `${THOUGHT}{}`, F, `${THOUGHT}${FINAL}Hi`],
  ],
  [
    "JSON in an open answer",
    JSON_FORMAT,
    { calls: false, mayThink: false, message: `assistant${FINAL}` },
    ["{}"],
    [`${FINAL}{}`, "Hi"],
  ],
  [
    "JSON in an open thought",
    JSON_FORMAT,
    { calls: false, message: "assistant<|channel|>analysis<|message|>" },
    [`Hm.${NEXT}${FINAL}{}`],
    ["{}", `${FINAL}{}`],
  ],
  [
    "JSON or a call",
    JSON_FORMAT,
    {},
    [`${FINAL}{}`, F, THOUGHT + F, `${THOUGHT}${FINAL}{}`],
    ["{}", `${FINAL}Hi`, WRONG],
  ],
])("%s", async (_, chat, options, allowed, refused) => {
  const constraint = await constraintOf(chat, options);
  expect(toGbnf(constraint)).toContain("root ::= ");
  const verdicts = await engine.judge(constraint, [...allowed, ...refused]);
  expect(verdicts.slice(0, allowed.length)).toEqual(allowed.map(() => "match"));
  for (const verdict of verdicts.slice(allowed.length)) expect(verdict).not.toBe("match");
});
