/** The interface between chat engines and the server: prompts and tokens, without HTTP or metering. */

import type { CachePages } from "../../src/protocol/events.ts";
import type { TemplateSource } from "../chat-template/chat-template.ts";
import type { ReplyEvent } from "../reply/reply-events.ts";
import type { ReaderOptions } from "../reply/reply-reader.ts";
import type { Constraint } from "./constraint.ts";
import type { ConversationTemplate } from "./conversation-template.ts";
import type { PromptImage } from "./prompt-image.ts";

export type ChatEngineName = "webllm" | "llamacpp";

/** A chat model, as known once it is loaded. */
export interface ChatModelInfo {
  engine: ChatEngineName;
  /** Ten hexadecimal digits that change with the engine, its build, or any byte of the model's files. */
  fingerprint: string;
  /** Tokens shared by prompt and reply. */
  contextWindow: number;
  /** The largest context window that the model supports. */
  maxContextWindow?: number;
  vocabularySize: number;
  /** Maximum UTF-8 bytes of one token; absent if unknown. */
  longestTokenBytes?: number;
  /** The model's own chat template; absent if its files have none. */
  template?: TemplateSource;
  /** MLC's description of the model's prompts; present if there is no template. */
  conversation?: ConversationTemplate;
  /** Texts of the tokens that structure prompts and are no text; absent if unknown. */
  specialTokens?: readonly string[];
  /** What its publisher recommends; absent if its files say nothing. */
  recommendedSampling?: SamplingDefaults;
  /** Whether an abort takes effect after the current pass, a chunk of a long prompt at most; otherwise, after the whole prompt. */
  abortsBetweenChunks?: boolean;
  /** Whether it computes {@link GenerateRequest.promptLogprobs}. @default false */
  scoresPrompts?: boolean;
  /** The most replies that run concurrently. @default 1 */
  parallel?: number;
  /** Whether replies that give way are interrupted while others need their places. @default false */
  suspends?: boolean;
  /** What is approximate, because something in the model's files is not known here. */
  notes?: readonly string[];
  /** For example `webgpu: google swiftshader`. */
  device: string;
  /** Whether it takes images. @default false */
  vision?: boolean;
  /** Size of all files that a first load downloads. */
  downloadBytes?: number;
}

export interface Sampling {
  temperature: number;
  /** In (0, 1]. */
  topP: number;
  /** Sample from so many of the most likely tokens; 0: from all. */
  topK: number;
  /** Minimum probability relative to the most likely token; 0 disables it. */
  minP: number;
  frequencyPenalty: number;
  presencePenalty: number;
  repetitionPenalty: number;
  /** Token id to logit bias, -100 to 100. */
  logitBias: Readonly<Record<string, number>>;
  /** The client's seed; undefined for a random reply. Engines sample from {@link GenerateRequest.randomState} instead. */
  seed: number | undefined;
  /** If undefined, the model's end token or a full context ends the reply. */
  maxTokens: number | undefined;
  /** Tokens that end the reply in addition to the model's own; their text is omitted. */
  stopTokens?: readonly number[];
  /** Continue past the model's own end tokens. */
  ignoreEos?: boolean;
  /** Minimum tokens before an end token may be sampled. */
  minTokens?: number;
}

/** Sampling parameters that models may have defaults for. */
export type SamplingDefaults = Partial<
  Pick<
    Sampling,
    "temperature" | "topP" | "topK" | "minP" | "frequencyPenalty" | "presencePenalty" | "repetitionPenalty"
  >
>;

/**
 * How far a reply gives way to others: a batch's always, a further one of a request with several once, since requests of
 * several choices end only with all of them.
 */
export type ReplyRank = "first" | "further" | "background";

/** One reply to generate. */
export interface GenerateRequest {
  /** The fully rendered prompt, or its tokens. */
  prompt: string | readonly number[];
  /** Whether the reply's text continues the prompt's, so that the space between them counts. @default false */
  continuesPrompt?: boolean;
  /** Whose request it is: cached keys and values are never reused across scopes. Set by the server. */
  cacheScope: string;
  /** The images whose marks are in the prompt. */
  images?: readonly PromptImage[];
  sampling: Sampling;
  /** Initial state of the random numbers (`random-stream.ts`): 64 well-mixed bits. */
  randomState: bigint;
  /** How the reply is parsed, and what ends it early. */
  reader: ReaderOptions;
  /** @default "first" */
  rank?: ReplyRank;
  constraint?: Constraint;
  /** Alternatives to report with each token, 0 to 20; undefined for no log probabilities. */
  topLogprobs?: number;
  /**
   * Whether each sampled token has an entry, one without text too, such as the end token: vLLM's form for scored prompts.
   *
   * @default false
   */
  reportsAll?: boolean;
  /** Alternatives to report with each token of the prompt, 0 to 20; undefined for no `prompt` step. */
  promptLogprobs?: number;
}

export interface EngineUsage {
  /** Tokens of the whole prompt. */
  promptTokens: number;
  /** Prompt tokens found in the KV cache. */
  cachedTokens: number;
  /** Sampled tokens, including the end token. */
  completionTokens: number;
  /** Completion tokens spent on reasoning, including its markers. */
  reasoningTokens: number;
}

/** Tokens of all replies of an engine so far. */
export type EngineCounts = Readonly<Pick<EngineUsage, "promptTokens" | "cachedTokens" | "completionTokens">>;

/** A token of the reply with its log probability. */
export interface TokenLogprob {
  /** The token's text, or `bytes:…` for part of a character. */
  token: string;
  bytes: number[];
  logprob: number;
  top: { token: string; bytes: number[]; logprob: number }[];
}

/** A token of the prompt. */
export interface PromptToken extends Pick<TokenLogprob, "token" | "bytes"> {
  id: number;
  /** Given the tokens before it; absent for the first. */
  score?: PromptScore;
}

export interface PromptScore {
  logprob: number;
  /** 1 for the most likely token; null if unknown. */
  rank: number | null;
  /** The most likely tokens, most likely first. */
  top: (Omit<TokenLogprob, "top"> & { id: number })[];
}

/**
 * One step of a generation; the last is always `finish` or a thrown EngineError. `prompt` comes first, if requested: with
 * all tokens, but those that the engine put in front of a prompt of tokens.
 */
export type EngineStep =
  | { type: "prompt"; tokens: PromptToken[]; usage: EngineUsage }
  | { type: "reply"; events: ReplyEvent[]; logprobs: TokenLogprob[]; usage: EngineUsage }
  | {
      type: "finish";
      reason: "stop" | "length" | "abort";
      usage: EngineUsage;
      /** The model's whole raw output; absent if the model did not end the reply itself. */
      raw?: string;
    };

/** A chat engine with one loaded model. Its owner must run at most `info.parallel` replies at a time, not counting suspended ones. */
export interface ChatEngine {
  readonly info: ChatModelInfo;
  /**
   * Counts the tokens that {@link generate} would feed for `prompt`; each image counts as one, as its size is unknown.
   *
   * @param scope {@link GenerateRequest.cacheScope} of a prompt that is generated from next, whose tokens are kept
   */
  countTokens(prompt: string | readonly number[], scope?: string): Promise<number>;
  /** Decodes the tokens of a `completions` prompt. */
  decode(tokens: readonly number[]): Promise<string>;
  /** Counts the tokens of earlier prompts and replies that are kept for later prompts; 0 if the engine cannot tell. */
  retainedTokens(): Promise<number>;
  /** What its replies have taken since it was loaded. */
  readonly counts: EngineCounts;
  /** Pages of its KV cache; null if the engine cannot tell. */
  pages(): Promise<CachePages | null>;
  /**
   * Generates until an end token, a stop string, the token limit or an abort. An abort still yields `finish`, so usage
   * is exact. Leaving the iteration early aborts and waits until the engine is free.
   *
   * @throws {EngineError}
   */
  generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineStep, void>;
  /** Frees all memory at once by ending the engine's worker. */
  dispose(reason: string): void;
}
