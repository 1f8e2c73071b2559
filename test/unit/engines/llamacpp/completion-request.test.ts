import { expect, test } from "vitest";
import { INKLING_MESSAGES } from "../../../../worker/chat-template/traits/message-markers.ts";
import type { GenerateRequest } from "../../../../worker/engine-api/chat-engine.ts";
import { completionRequest } from "../../../../worker/engines/llamacpp/completion-request.ts";
import type { ReplyReasoning } from "../../../../worker/reply/reply-reasoning.ts";
import { deepseekV31 } from "../../../../worker/tools/formats/deepseek-v31.ts";
import { functionGemma, gemma4 } from "../../../../worker/tools/formats/function-gemma.ts";
import { harmony } from "../../../../worker/tools/formats/harmony.ts";
import { inkling } from "../../../../worker/tools/formats/inkling.ts";
import { minicpm5 } from "../../../../worker/tools/formats/minicpm5.ts";
import { mistralNamed } from "../../../../worker/tools/formats/mistral-named.ts";
import type { ToolFormat } from "../../../../worker/tools/formats/tool-format.ts";
import { neutralSampling } from "../../../support/neutral-sampling.ts";

/** The `preserved_tokens` of a request, for a vocabulary with these control tokens. */
function preserved(format: ToolFormat, specialTokens: string[], reasoning?: ReplyReasoning) {
  const request = {
    sampling: { logitBias: {} },
    randomState: 0n,
    reader: { reasoning, tools: { format: format.callFormat } },
  } as unknown as GenerateRequest;
  const info = { contextWindow: 4_096, specialTokens };
  const { preserved_tokens } = completionRequest("", request, info, { mayReuse: true });
  return preserved_tokens as string[];
}

test("control tokens between the parts of a call are kept, and no others", () => {
  const think = { open: "[THINK]", close: "[/THINK]" };
  expect(preserved(mistralNamed, ["[INST]", "[ARGS]"], think)).toEqual([
    "[THINK]",
    "[/THINK]",
    "[TOOL_CALLS]",
    "[CALL_ID]",
    "[ARGS]",
  ]);
  expect(preserved(functionGemma, ["<escape>"])).toContain("<escape>");
  expect(preserved(gemma4, ['<|"|>'])).toContain('<|"|>');
  const tags = ["<function", "<param", "</param>", "</function>", "<tool_call>", "<arguments>"];
  const kept = preserved(minicpm5, [...tags, "<tools>"]);
  expect(kept).toEqual(expect.arrayContaining(tags));
  expect(kept).not.toContain("<tools>");
  expect(preserved(deepseekV31, [])).toEqual(
    expect.arrayContaining(["<｜tool▁sep｜>", "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"]),
  );
});

test("a marker of several tokens keeps the control token in it", () => {
  const thought = { open: "<|channel>thought\n", close: "<channel|>" };
  const kept = preserved(gemma4, ["<|channel>", "<|turn>", ""], thought);
  expect(kept).toContain("<|channel>");
  expect(kept).not.toContain("<|turn>");
  expect(kept).not.toContain("");
});

test("all tokens of messages with headers are kept", () => {
  const messages = { kind: "harmony", begun: "assistant" } as const;
  const thought = { open: "<|channel|>analysis<|message|>", close: "<|end|>", messages };
  const tokens = ["start", "channel", "message", "constrain", "end", "return", "call"].map(
    (name) => `<|${name}|>`,
  );
  expect(preserved(harmony, [], thought)).toEqual(expect.arrayContaining(tokens));
  const marked = {
    open: "",
    close: "",
    messages: { kind: "marked" as const, markers: INKLING_MESSAGES, begun: "" },
  };
  const kinds = [
    "content_text",
    "content_thinking",
    "content_invoke_tool_json",
    "message_tool",
    "end_message",
  ];
  expect(preserved(inkling, [], marked)).toEqual(expect.arrayContaining(kinds.map((kind) => `<|${kind}|>`)));
});

test("markers that a model writes in place of a thought's are kept", () => {
  const fast = { open: "<ifm|think_fast>", close: "</ifm|think_fast>" };
  const thought = { open: "<ifm|think>", close: "</ifm|think>", variants: [fast] };
  expect(preserved(harmony, [], thought)).toEqual(expect.arrayContaining([fast.open, fast.close]));
});

test("ignore_eos has no effect with a grammar, after whose end there is nothing", () => {
  const ignores = (more: Partial<GenerateRequest>) => {
    const sampling = { ...neutralSampling, ignoreEos: true };
    const request = {
      sampling,
      randomState: 0n,
      reader: { stop: [] },
      ...more,
    } as unknown as GenerateRequest;
    return completionRequest("", request, { contextWindow: 64 }, { mayReuse: true }).ignore_eos;
  };
  expect(ignores({})).toBe(true);
  expect(ignores({ constraint: { type: "grammar", ebnf: 'root ::= "a"' } })).toBeUndefined();
});

test("a top_k beyond 32 bits is the largest, and not what is left of its bits", () => {
  const sampling = { ...neutralSampling, topK: 2 ** 32 + 1 };
  const request = { sampling, randomState: 0n, reader: { stop: [] } } as unknown as GenerateRequest;
  const { top_k } = completionRequest("", request, { contextWindow: 64 }, { mayReuse: true });
  expect(top_k).toBe(2 ** 31 - 1);
});
