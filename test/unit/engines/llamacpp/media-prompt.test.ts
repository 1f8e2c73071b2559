import { describe, expect, test } from "vitest";
import type { EngineStep } from "../../../../worker/engine-api/chat-engine.ts";
import { chooseProjector } from "../../../../worker/engine-api/gguf-name.ts";
import { imagePlaceholder, type PromptImage } from "../../../../worker/engine-api/prompt-image.ts";
import { TOKEN_BOUNDARY } from "../../../../worker/engine-api/token-boundary.ts";
import { LlamaReply } from "../../../../worker/engines/llamacpp/llama-reply.ts";
import { mediaPrompt, refuseMedia, requireWindow } from "../../../../worker/engines/llamacpp/media-prompt.ts";
import { neutralSampling } from "../../../support/neutral-sampling.ts";
import { fc } from "../../../support/random.ts";

const MARKER = "<__media__>";
const image = (digit: string) => ({ id: digit.repeat(64), bytes: new Uint8Array([digit.charCodeAt(0)]) });
const [one, two] = [image("1"), image("2")];

test("there are as many markers as files, in order, whatever the text spells", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      imagePlaceholder(one),
      imagePlaceholder(two),
      imagePlaceholder(image("3")),
      MARKER,
      "<__me",
      "dia__>",
      TOKEN_BOUNDARY,
    ),
    // The third is unknown: what it parts spells the marker.
    fc.constant(`<__me${imagePlaceholder(image("3"))}dia__>`),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 32 }), (pieces) => {
      const { prompt, files } = mediaPrompt(pieces.join(""), [one, two], MARKER);
      expect(prompt.split(MARKER)).toHaveLength(files.length + 1);
      expect(prompt).not.toContain(TOKEN_BOUNDARY);
      const wanted = pieces.filter(
        (part) => part === imagePlaceholder(one) || part === imagePlaceholder(two),
      );
      expect(files).toHaveLength(wanted.length);
    }),
  );
});

test("images do not become neighbours where the text between them is removed", () => {
  const { prompt } = mediaPrompt(
    `${imagePlaceholder(one)}${MARKER}${imagePlaceholder(two)}${MARKER}`,
    [one, two],
    MARKER,
  );
  expect(prompt).toBe(`${MARKER}\u200B${MARKER}\u200B`);
});

test("a template that repeats an image without end is refused", () => {
  const repeated = (times: number) => () => mediaPrompt(imagePlaceholder(one).repeat(times), [one], MARKER);
  expect(repeated(32)).not.toThrow();
  expect(repeated(33)).toThrow(/template repeats images/);
});

test("texts and images keep their order", () => {
  const { prompt, files } = mediaPrompt(
    `a${imagePlaceholder(two)}b${imagePlaceholder(one)}c`,
    [one, two],
    MARKER,
  );
  expect(prompt).toBe(`a${MARKER}b${MARKER}c`);
  expect(files).toEqual([two.bytes, one.bytes]);
});

test("llama.cpp's refusals are the client's errors; others are not", () => {
  const refusal = (message: string) => () => refuseMedia(new Error(message), 512);
  expect(refusal("request (700 tokens) exceeds the available context size (512 tokens)")).toThrow(
    /700 tokens/,
  );
  expect(refusal("Failed to format input: Failed to load image or audio file")).toThrow(
    /cannot read an image/,
  );
  expect(refusal("memory access out of bounds")).not.toThrow();
});

describe("the window, which llama.cpp rounds up to 256 tokens,", () => {
  /** @param limits tokens of the prompt with its images, and of the window */
  function run(images: PromptImage[] | undefined, limits: { prompt: number; window: number }) {
    const steps: EngineStep[] = [];
    const sampling = { ...neutralSampling, maxTokens: undefined };
    const request = { prompt: "", cacheScope: "a", sampling, randomState: 1n, reader: { stop: [] } };
    const reply = new LlamaReply(
      { ...request, ...(images ? { images } : {}) },
      {
        promptTokens: 1,
        contextWindow: limits.window,
        signal: new AbortController().signal,
        emit: (step) => steps.push(step),
      },
    );
    const step = { cachedTokens: 0, logprobs: [], finishReason: null, promptTokens: limits.prompt };
    for (let token = 0; token <= 20 && !reply.ended.aborted; token++)
      reply.take({ ...step, text: token === 0 ? "" : "a", completionTokens: token });
    reply.finish();
    return steps.at(-1);
  }

  test("ends a reply to images", () => {
    expect(run([one], { prompt: 505, window: 512 })).toMatchObject({
      ...{ type: "finish", reason: "length" },
      usage: { promptTokens: 505, completionTokens: 7 },
    });
    expect(run(undefined, { prompt: 505, window: 512 })).toMatchObject({ usage: { completionTokens: 20 } });
  });

  test("refuses a prompt whose images exceed it", () => {
    expect(run([one], { prompt: 513, window: 512 })).toMatchObject({ usage: { completionTokens: 0 } });
    expect(() => requireWindow(511, 512)).not.toThrow();
    for (const tokens of [512, 600])
      expect(() => requireWindow(tokens, 512)).toThrow(`your prompt and its images resulted in ${tokens}`);
  });
});

test("the projector of a repository: by name, small before large, bf16 last", () => {
  const files = (...names: string[]) => names.map((name) => ({ name }));
  const chosen = (...names: string[]) => chooseProjector(files(...names))?.name;
  expect(chosen("a-Q4_K_M.gguf", "README.md")).toBeUndefined();
  expect(chosen("a-Q8_0.gguf", "mmproj-a-f16.gguf", "mmproj-a-Q8_0.gguf")).toBe("mmproj-a-Q8_0.gguf");
  expect(chosen("mmproj-BF16.gguf", "mmproj-F16.gguf", "mmproj-F32.gguf")).toBe("mmproj-F16.gguf");
  expect(chosen("a.gguf", "a.mmproj-fp32.gguf")).toBe("a.mmproj-fp32.gguf");
  expect(chosen("mmproj-f32.gguf", "mmproj-bf16.gguf")).toBe("mmproj-bf16.gguf");
});
