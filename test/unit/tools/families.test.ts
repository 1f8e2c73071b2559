import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { chatmlHermes, qwen25 } from "../../../worker/tools/families/chatml-hermes.ts";
import { chooseFamily, TOOL_FAMILIES } from "../../../worker/tools/families/choose-family.ts";
import { knownFamily } from "../../../worker/tools/families/family-name.ts";
import { gemma } from "../../../worker/tools/families/gemma.ts";
import { hermes2pro } from "../../../worker/tools/families/hermes2pro.ts";
import { llama3 } from "../../../worker/tools/families/llama3.ts";
import { mistral } from "../../../worker/tools/families/mistral.ts";
import { phi } from "../../../worker/tools/families/phi.ts";
import type { ToolFamily } from "../../../worker/tools/families/tool-family.ts";
import { respaceJson } from "../../../worker/tools/python-json.ts";
import type { ToolCall, ToolDefinition, ToolResult } from "../../../worker/tools/tool-types.ts";
import { readCalls } from "../../support/tool-reading.ts";

const folder = new URL("../../fixtures/tools/", import.meta.url);
const published = (file: string): string => readFileSync(new URL(file, folder), "utf8");
const conversation = JSON.parse(published("conversation.json")) as {
  system: string;
  user: string;
  tools: ToolDefinition[];
  calls: ToolCall[];
  results: ToolResult[];
};
const { system, user, tools, calls, results } = conversation;

interface Parts {
  tools: string;
  calls: string;
  results: string;
}

function render(family: ToolFamily, options: { system?: string | undefined; count?: number } = {}): Parts {
  const { count = 2 } = options;
  return {
    tools: family.renderTools("system" in options ? options.system : system, tools),
    calls: family.renderCalls("", calls.slice(0, count)),
    results: family.renderResults(results.slice(0, count)).text,
  };
}

function chatml(parts: Parts, toolRole: string, afterTool = "\n"): string {
  const turn = (role: string, text: string): string => `<|im_start|>${role}\n${text}<|im_end|>`;
  return `${turn("system", parts.tools)}\n${turn("user", user)}\n${turn("assistant", parts.calls)}\n${turn(toolRole, parts.results)}${afterTool}<|im_start|>assistant\n`;
}

describe("prompts with tools are those that the families published", () => {
  it("chatml-hermes (Qwen3, infetch-tiny)", () => {
    expect(chatml(render(chatmlHermes), "user")).toBe(published("chatml-hermes.txt"));
  });

  it("qwen2.5", () => {
    expect(chatml(render(qwen25, { system: undefined }), "user")).toBe(published("qwen2.5.txt"));
  });

  it("hermes2pro", () => {
    expect(chatml(render(hermes2pro), "tool", "")).toBe(published("hermes2pro.txt"));
  });

  it("llama3", () => {
    const parts = render(llama3, { count: 1 });
    const turn = (role: string, text: string): string =>
      `<|start_header_id|>${role}<|end_header_id|>\n\n${text}<|eot_id|>`;
    const text =
      turn("system", parts.tools) +
      turn("user", user) +
      turn("assistant", parts.calls) +
      turn("ipython", parts.results);
    expect(`${text}<|start_header_id|>assistant<|end_header_id|>\n\n`).toBe(published("llama3.txt"));
  });

  it("mistral", () => {
    const parts = render(mistral, { system: undefined });
    const text = `<s>${parts.tools}[INST]${user}[/INST]${parts.calls}</s>${parts.results}`;
    expect(text).toBe(published("mistral.txt"));
    const definitions = parts.tools;
    expect(render(mistral).tools).toBe(definitions + system);
    expect(`<s>${definitions}[INST]${system}\n\n${user}[/INST]`).toBe(published("mistral-system.txt"));
  });

  it("phi", () => {
    const parts = render(phi);
    const text = `<|system|>${parts.tools}<|end|><|user|>${user}<|end|><|assistant|>${parts.calls}<|end|>${parts.results}<|end|><|assistant|>`;
    expect(text).toBe(published("phi.txt"));
  });

  it("gemma", () => {
    const parts = render(gemma);
    const turn = (role: string, text: string): string => `<start_of_turn>${role}\n${text}<end_of_turn>\n`;
    const text =
      turn("user", `${parts.tools}\n\n${user}`) + turn("model", parts.calls) + turn("user", parts.results);
    expect(`${text}<start_of_turn>model\n`).toBe(published("gemma.txt"));
  });
});

describe.each(TOOL_FAMILIES.map((family) => [family.name, family] as const))("%s", (_, family) => {
  it("reads the calls that it renders", () => {
    const text = family.renderCalls("", calls);
    const read = readCalls([...text], {
      format: family.format.callFormat,
      names: new Set(["get_weather", "now"]),
    });
    expect(read.calls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual(
      calls.map((call) => [call.name, JSON.parse(call.arguments)]),
    );
    expect(read.text).toBe("");
  });

  it("keeps what was said in front of a call, and takes empty or broken arguments as they are", () => {
    const call = { id: "call_1", name: "now", arguments: "" };
    expect(family.renderCalls("Wait.", [call])).toMatch(/^Wait\..*\{\}/s);
    expect(family.renderCalls("", [{ ...call, arguments: '{"a":' }])).toContain('{"a":');
  });

  it("shows every definition, and the system message", () => {
    const bare: ToolDefinition = { type: "function", function: { name: "bare", strict: true } };
    const text = family.renderTools("Be kind.", [bare, ...tools]);
    for (const part of ["Be kind.", "bare", "get_weather", "now"]) expect(text).toContain(part);
    expect(text).not.toContain("strict");
  });
});

describe("the choice of a family", () => {
  it.each([
    ["infetch-tiny", undefined, "chatml-hermes"],
    ["Qwen2.5-0.5B-Instruct-q4f16_1-MLC", "chatml", "qwen2.5"],
    ["Qwen3-0.6B-q4f16_1-MLC", "qwen2", "chatml-hermes"],
    ["Hermes-2-Pro-Llama-3-8B-q4f16_1-MLC", "hermes2_pro_llama3", "hermes2pro"],
    ["Hermes-3-Llama-3.2-3B-q4f16_1-MLC", "hermes3_llama-3_1", "hermes2pro"],
    ["Llama-3.2-1B-Instruct-q4f16_1-MLC", "llama-3_1", "llama3"],
    ["DeepSeek-R1-Distill-Qwen-7B-q4f16_1-MLC", "deepseek_r1_qwen", "chatml-hermes"],
    ["Mistral-7B-Instruct-v0.3-q4f16_1-MLC", "mistral_default", "mistral"],
    ["Ministral-3-3B-Instruct", "ministral3", "mistral"],
    ["Phi-3.5-mini-instruct-q4f16_1-MLC", "phi-3", "phi"],
    ["gemma-2-2b-it-q4f16_1-MLC", "gemma_instruction", "gemma"],
    ["bartowski/Mistral-Nemo-Instruct-2407-GGUF", undefined, "mistral"],
    ["bartowski/nvidia_NVIDIA-Nemotron-Nano-9B-v2-GGUF", undefined, "chatml-hermes"],
    ["dolphin-2.9-phi2-Q4_K_M", undefined, "phi"],
    ["dolphin3.0-0.5B", undefined, "chatml-hermes"],
    ["my-own-model", "llama-3", "llama3"],
    ["my-own-model", undefined, "chatml-hermes"],
  ])("%s (%s) is %s", (id, conversationTemplate, name) => {
    const names = conversationTemplate === undefined ? { id } : { id, conversationTemplate };
    expect(chooseFamily(names).name).toBe(name);
  });

  it.each([
    ["Qwen3-0.6B-q4f16_1-MLC", true],
    ["Phi-4-mini-instruct-q4f16_1-MLC", true],
    ["Phi-3.5-mini-instruct-q4f16_1-MLC", false],
    ["DeepSeek-R1-Distill-Qwen-7B-q4f16_1-MLC", false],
    ["unsloth/Qwen3.5-2B-GGUF", false],
    ["Qwen3-Coder-30B-A3B-Instruct", false],
    ["gemma-2-2b-it-q4f16_1-MLC", false],
    ["SmolLM2-360M-Instruct-q4f16_1-MLC", false],
    ["my-own-model", false],
  ])("%s is known to call tools in the format of its family: %s", (id, isKnown) => {
    expect(knownFamily({ id }) !== undefined).toBe(isKnown);
  });
});

describe("Python's JSON", () => {
  it("changes spacing only", () => {
    expect(respaceJson('{"a":1.0,\n "b" : ["x,y: \\"z\\""], "2":{}, "1":[ ]}')).toBe(
      '{"a": 1.0, "b": ["x,y: \\"z\\""], "2": {}, "1": []}',
    );
    expect(respaceJson('{"a":')).toBe('{"a":');
  });
});
