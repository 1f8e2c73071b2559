/** Estimates the tokens of a request from its raw body, to reserve them against its key's limits. */

import { isTooDeep } from "../body/json-depth.ts";

/** OpenAI's rule of thumb for English text, on the JSON of the prompt. */
const CHARACTERS_PER_TOKEN = 4;

/** Default `max_tokens` of `POST /v1/completions`. */
const DEFAULT_COMPLETION_TOKENS = 16;

/** Keeps sums of reservations exact. */
const MAX_TOKENS = 1e12;

type Body = Record<string, unknown>;

interface TokenRules {
  /** Fields that are part of the prompt. */
  prompt: readonly string[];
  /** Which of these fields may have images. */
  images?: string;
  /** Maximum output tokens of all replies; 0 if the body sets no maximum. */
  output(body: Body): number;
}

/** Only the fields that each endpoint uses, so that unknown fields reserve nothing. */
const RULES: Record<string, TokenRules> = {
  "/v1/chat/completions": {
    prompt: ["messages", "tools", "functions"],
    images: "messages",
    output: (body) => countOf(body.max_completion_tokens ?? body.max_tokens) * Math.max(1, countOf(body.n)),
  },
  "/v1/completions": {
    prompt: ["prompt"],
    output: (body) =>
      countOf(body.max_tokens ?? DEFAULT_COMPLETION_TOKENS) *
      Math.max(1, countOf(body.n), countOf(body.best_of)) *
      promptsIn(body.prompt),
  },
  "/v1/responses": {
    prompt: ["input", "instructions", "tools"],
    images: "input",
    output: (body) => countOf(body.max_output_tokens),
  },
  "/v1/embeddings": { prompt: ["input"], output: () => 0 },
};

interface TokenEstimate {
  /** Estimated for text, exact for lists of tokens; an image is one until it is read. */
  promptTokens: number;
  /** Maximum of all replies together; 0 if the body sets no maximum. */
  outputTokens: number;
}

/** Whether requests to this path use tokens. */
export function isMetered(path: string): boolean {
  return Object.hasOwn(RULES, path);
}

/**
 * Estimates a request to `path`, which must be {@link isMetered}. All 0 for a body that is not a JSON object or nested
 * too deeply, which the endpoint refuses.
 */
export function estimateTokens(path: string, text: string): TokenEstimate {
  const { prompt, images, output } = RULES[path]!;
  const body = parse(text);
  const promptTokens = prompt.reduce(
    (sum, field) => sum + (field === images ? tokensWithImages : promptTokensOf)(body[field]),
    0,
  );
  return { promptTokens, outputTokens: Math.min(MAX_TOKENS, output(body)) };
}

function promptTokensOf(value: unknown): number {
  if (value === undefined) return 0;
  if (isTokens(value)) return value.length;
  if (Array.isArray(value) && value.some(isTokens)) {
    return value.reduce<number>((sum, item) => sum + promptTokensOf(item), 0);
  }
  return tokensIn(JSON.stringify(value));
}

function tokensIn(json: string): number {
  return Math.ceil(json.length / CHARACTERS_PER_TOKEN);
}

/** One token for each image, instead of its URL, which may hold the whole file. */
function tokensWithImages(value: unknown): number {
  if (value === undefined) return 0;
  let images = 0;
  const withoutURLs = JSON.stringify(value, (name, part) => {
    if (name !== "image_url") return part;
    const isURL = typeof part === "string";
    if (!isURL && typeof part?.url !== "string") return part;
    images++;
    return isURL ? "" : { ...part, url: "" };
  });
  return tokensIn(withoutURLs) + images;
}

/** Text or a list of tokens is one prompt; any other list has one per item. */
function promptsIn(prompt: unknown): number {
  return Array.isArray(prompt) && !isTokens(prompt) ? Math.max(1, prompt.length) : 1;
}

function isTokens(value: unknown): value is unknown[] {
  return Array.isArray(value) && typeof value[0] === "number";
}

function parse(text: string): Body {
  try {
    const body: unknown = JSON.parse(text);
    return isTooDeep(body) ? {} : Object(body);
  } catch {
    return {};
  }
}

function countOf(value: unknown): number {
  return typeof value === "number" && value > 0 ? Math.min(MAX_TOKENS, Math.ceil(value)) : 0;
}
