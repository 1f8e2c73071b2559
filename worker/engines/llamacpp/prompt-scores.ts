/**
 * Log probabilities of a prompt's tokens. llama.cpp's server reports those of generated tokens only, so the prompt is
 * generated: a grammar leaves one token at each place, and what is reported is taken before the grammar. Only end tokens
 * follow a grammar, and a bias chooses among them.
 */

import type { PromptToken } from "../../engine-api/chat-engine.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import { finiteLogprob } from "../chat/logprob-aligner.ts";
import { tokenText } from "../chat/token-bytes.ts";
import type { LlamaInstance, ReportedToken } from "./llama-instance.ts";
import type { GgufTokenizer } from "./tokenizer/gguf-tokenizer.ts";

interface ScoredPrompt {
  /** All tokens, with the BOS token. */
  tokens: readonly number[];
  /** Alternatives to report with each. */
  top: number;
}

type Instance = Pick<LlamaInstance, "complete" | "addsBos" | "endTokens">;

/**
 * Returns the tokens with their scores; fewer after an abort.
 *
 * @throws {EngineError} `unsupported_parameter` for a prompt with a character of several tokens, which no grammar of
 * llama.cpp can name; or llama.cpp's own error
 */
export async function scorePrompt(
  instance: Instance,
  tokenizer: Pick<GgufTokenizer, "encode" | "decode">,
  { tokens, top }: ScoredPrompt,
  signal: AbortSignal,
): Promise<PromptToken[]> {
  const begin = instance.addsBos ? 1 : 0;
  const first = tokenizer.decode(tokens.slice(0, 1));
  const scored: PromptToken[] = [{ id: tokens[0]!, token: first, bytes: bytesOf(first) }];
  // Twice: a space that begins a text is removed.
  if (tokens.slice(1).some((id) => isPart(tokenizer.decode([id, id])))) throw unsupported();
  while (scored.length < tokens.length && !signal.aborted) {
    const known = scored.length;
    const given = tokens.slice(begin, known);
    const text = tokenizer.decode(given);
    if (tokenizer.encode(text).join() !== given.join()) throw unsupported();
    const run = nextRun(tokens, known, instance.endTokens);
    await instance.complete(
      scoringRequest(text, run, top, { mayReuse: known > 1 }),
      [],
      ({ logprobs }) => scored.push(...logprobs.map((reported) => describe(reported, top, tokenizer))),
      signal,
    );
    const generated = scored.slice(known).map(({ id }) => id);
    const wanted = run.end === undefined ? run.ids : [...run.ids, run.end];
    if (!signal.aborted && generated.join() !== wanted.join()) throw unsupported();
  }
  return scored;
}

/** Tokens that one generation scores. */
interface Run {
  ids: readonly number[];
  /** The end token that follows, if one does: it ends the generation. */
  end: number | undefined;
}

function nextRun(tokens: readonly number[], start: number, endTokens: ReadonlySet<number>): Run {
  const end = tokens.findIndex((id, at) => at >= start && endTokens.has(id));
  return { ids: tokens.slice(start, end < 0 ? undefined : end), end: tokens[end] };
}

function scoringRequest(
  prompt: string,
  { ids, end }: Run,
  top: number,
  { mayReuse }: { mayReuse: boolean },
): Record<string, unknown> {
  return {
    prompt,
    stream: true,
    timings_per_token: true,
    cache_prompt: mayReuse,
    n_predict: ids.length + (end === undefined ? 0 : 1),
    samplers: ["temperature"],
    temperature: 0,
    grammar: `root ::= ${ids.map((id) => `<[${id}]>`).join(" ") || '""'}`,
    logit_bias: end === undefined ? [] : [[end, 100]],
    n_probs: Math.max(1, top),
    post_sampling_probs: false,
  };
}

function describe(
  { top_logprobs = [], ...own }: ReportedToken,
  top: number,
  tokenizer: Pick<GgufTokenizer, "decode">,
): PromptToken {
  const at = top_logprobs.findIndex(({ id }) => id === own.id);
  const described = textAndBytes(own);
  // llama.cpp leaves out the text of control tokens.
  const control = described.token === "" ? tokenizer.decode([own.id]) : undefined;
  return {
    ...(control === undefined ? described : { id: own.id, token: control, bytes: bytesOf(control) }),
    score: {
      logprob: finiteLogprob(own.logprob),
      rank: at < 0 ? null : at + 1,
      top: top_logprobs
        .slice(0, top)
        .map((one) => ({ ...textAndBytes(one), logprob: finiteLogprob(one.logprob) })),
    },
  };
}

function textAndBytes({ id, token, bytes }: ReportedToken): Pick<PromptToken, "id" | "token" | "bytes"> {
  return { id, token: bytes.length > 0 ? tokenText(Uint8Array.from(bytes)) : token, bytes };
}

/** Whether a token is a part of a character, or no text. */
function isPart(text: string): boolean {
  return text === "" || text.includes("\uFFFD");
}

function bytesOf(text: string): number[] {
  return Array.from(new TextEncoder().encode(text));
}

function unsupported(): EngineError {
  const message =
    "Unsupported parameter: in llama.cpp, a prompt with a character of several tokens, such as an emoji, has no log probabilities.";
  return new EngineError("unsupported_parameter", message, { param: "prompt" });
}
