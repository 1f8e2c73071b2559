/** OpenAI's rule of thumb for English text, on the JSON of the prompt. */
const CHARACTERS_PER_TOKEN = 4;

const PROMPT_FIELDS = ["messages", "prompt", "input", "instructions", "tools"];
const OUTPUT_FIELDS = ["max_completion_tokens", "max_tokens", "max_output_tokens"];

/**
 * The most tokens that a request may use, as far as its body tells before anything has read it: its prompt, and as
 * much as it lets each reply have. 0 for a body that is no JSON object, which the endpoint will refuse.
 */
export function estimateTokens(text: string): number {
  const body = parse(text);
  const prompt = PROMPT_FIELDS.map((field) => body[field]).filter((value) => value !== undefined);
  const characters = prompt.reduce<number>((sum, value) => sum + JSON.stringify(value).length, 0);
  const output = OUTPUT_FIELDS.map((field) => countOf(body[field])).find((count) => count > 0) ?? 0;
  const replies = Math.max(1, countOf(body.n), countOf(body.best_of));
  return Math.ceil(characters / CHARACTERS_PER_TOKEN) + output * replies;
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function countOf(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : 0;
}
