/** Relays streams of an upstream in this runtime's format. */

import { isObject } from "../../../src/shared/is-object.ts";
import { toApiError } from "../../http/error-response.ts";
import { SSE_DONE, sseEvent } from "../../http/sse/sse.ts";
import { readEvents } from "../../http/sse/sse-reader.ts";
import { NO_TOKENS, type TokenCounts } from "../../usage/metering/meter.ts";
import type { Delivery } from "../metering/delivery.ts";
import { cutStream } from "./errors.ts";
import { countsOf } from "./usage.ts";

interface Relay {
  body: ReadableStream<Uint8Array>;
  delivery: Delivery;
  /** The client's name of the model. */
  name: string;
  /** Whether it is a stream of the Responses API, whose end and errors differ. */
  isResponse: boolean;
  /** Whether the client requested the usage chunk; the upstream always sends it. */
  includeUsage: boolean;
  /** Of the upstream's text, what may be shown. */
  shown: (text: string) => string;
  /** Aborted by the client. */
  signal: AbortSignal;
  /** Called with each event, before it is relayed. */
  onEvent: (event: Record<string, unknown>) => void;
  /** Called once, however the stream ends. */
  onEnd: () => void;
}

/** The upstream sends no faster than the client reads, beyond so many bytes: it may never end. */
const MAX_UNREAD_BYTES = 4 * 2 ** 20;

type Chunk = Record<string, unknown> & { response?: Record<string, unknown> | null; choices?: unknown[] };

/** Last events of a Responses API stream; other streams end with `[DONE]`. */
const LAST_EVENTS: readonly unknown[] = ["response.completed", "response.incomplete", "response.failed"];

/**
 * Relays the upstream's events with the client's name of the model. Usage is the upstream's; if the stream ends
 * without it, each relayed text chunk counts as one token. A broken stream ends with an error event.
 */
export async function* relayStream(relay: Relay): AsyncGenerator<Uint8Array, void> {
  const { delivery, signal, isResponse, onEvent } = relay;
  let reported: TokenCounts | undefined;
  let pieces = 0;
  const counts = (): TokenCounts => reported ?? { ...NO_TOKENS, outputTokens: pieces };
  let isWhole = false;
  let next = 0;
  try {
    for await (const { event, data } of readEvents(relay.body)) {
      isWhole = data === "[DONE]" && !isResponse;
      if (isWhole) break;
      const chunk = JSON.parse(relay.shown(data)) as Chunk | null;
      // Some servers keep a connection alive with `data: null`.
      if (!isObject(chunk)) continue;
      onEvent(chunk);
      if (typeof chunk.sequence_number === "number") next = chunk.sequence_number + 1;
      reported = countsOf(chunk.usage ?? chunk.response?.usage) ?? reported;
      if (carriesText(chunk)) pieces++;
      isWhole = LAST_EVENTS.includes(chunk.type);
      if (isWhole) await delivery.end("completed", counts());
      const shown = toShown(chunk, relay);
      if (shown) yield delivery.sent(sseEvent(shown, event));
      if (isWhole) return;
      delivery.after(counts());
      await delivery.untilRead(MAX_UNREAD_BYTES);
      // Errors of the upstream are passed on unchanged.
      if (event === "error" || isError(chunk)) return await delivery.end("failed");
    }
    if (!isWhole) throw cutStream();
    await delivery.end("completed");
    yield SSE_DONE;
  } catch (error) {
    if (!signal.aborted) {
      await delivery.end("failed");
      yield toFailure(error, isResponse ? next : undefined);
    }
  } finally {
    await delivery.leave();
    relay.onEnd();
  }
}

/** What is output in a delta of a chat. DeepSeek has `reasoning_content`, OpenRouter and newer vLLM `reasoning`. */
const OUTPUT = ["content", "reasoning_content", "reasoning", "refusal", "tool_calls", "function_call"];

/** Whether a chunk of chat, text or a response adds output. */
function carriesText({ choices, type }: Chunk): boolean {
  if (typeof type === "string") return type.endsWith(".delta");
  return (choices ?? []).some((choice) => {
    const { delta, text } = choice as { delta?: Record<string, unknown> | null; text?: unknown };
    const parts = [text, ...OUTPUT.map((name) => delta?.[name])];
    return parts.some((part) => (Array.isArray(part) ? part.length > 0 : Boolean(part)));
  });
}

function isError({ error }: Chunk): boolean {
  return (error ?? null) !== null;
}

/** The chunk for the client; undefined for a usage chunk that it did not request. */
function toShown(chunk: Chunk, { name, includeUsage, isResponse }: Relay): object | undefined {
  if (isResponse) return chunk.response ? { ...chunk, response: { ...chunk.response, model: name } } : chunk;
  const named = "model" in chunk ? { ...chunk, model: name } : chunk;
  // Some servers send usage without `choices`, which clients read in every chunk.
  const isUsage = Boolean(chunk.usage) && !chunk.choices?.length && !isError(chunk);
  if (includeUsage) return isUsage ? { ...named, choices: [] } : named;
  const { usage: _, ...rest } = named;
  return isUsage ? undefined : rest;
}

/**
 * Invalid JSON and a lost connection both mean a truncated response.
 *
 * @param number of the event, in a stream of the Responses API
 */
function toFailure(error: unknown, number: number | undefined): Uint8Array {
  const isCut = error instanceof SyntaxError || error instanceof TypeError;
  const { error: body } = toApiError(isCut ? cutStream() : error).body();
  if (number === undefined) return sseEvent({ error: body });
  return sseEvent({ ...body, type: "error", sequence_number: number }, "error");
}
