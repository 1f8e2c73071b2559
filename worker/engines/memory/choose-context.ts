/** Chooses a chat model's context window before its weights are loaded, for all engines. */

import { DEFAULT_CONTEXT } from "../../engine-api/default-context.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import type { ContextSettings, MemoryRoom } from "../../engine-api/model-files.ts";

/** Engines count tokens in 32 bits; a model's own number can be anything, even infinite. */
const MAX_CONTEXT = 2 ** 31 - 1;
/** Windows up to this size are served without a note, and even where an estimated budget has no room for them. */
const USUAL_CONTEXT = 4_096;
/** Chat needs at least this much. */
const MIN_CONTEXT = 512;
/** Shown and chosen windows are multiples of this where memory decides. */
const STEP = 256;

/** What a model needs, and what its device has. */
interface ContextNeeds {
  /** The largest window that the model was made for. */
  ownContext: number;
  /** Memory of model and context together; grows with the window. */
  bytesAt: (window: number) => number;
  /** The device's limit on one model's memory. @default none */
  deviceBytes?: number;
  /** The device's limit on the window, whatever the memory. @default none */
  deviceTokens?: number;
}

export interface ChosenContext {
  contextWindow: number;
  maxContextWindow: number;
  /** Memory of model and context. */
  memoryBytes: number;
  /** The same at the smallest window that the model is served with while memory is short: what a later load asks for. */
  neededBytes: number;
  /** Why the window is smaller than asked for, or than the default. */
  notes: string[];
}

const UNLIMITED: MemoryRoom = {
  freeBytes: Number.POSITIVE_INFINITY,
  idleBytes: 0,
  mostBytes: Number.POSITIVE_INFINITY,
};

/**
 * An explicit window is capped at the model's own and refused if it does not fit. Without one, the window is the
 * largest that fits beside the other models, at most 8,192 tokens.
 *
 * @throws {EngineError} `insufficient_memory`; for an explicit window, its message has the largest that fits
 */
export function chooseContext(
  { contextWindow: wanted, maxContextWindow = Number.POSITIVE_INFINITY, room = UNLIMITED }: ContextSettings,
  needs: ContextNeeds,
): ChosenContext {
  const { bytesAt, deviceBytes = Number.POSITIVE_INFINITY, deviceTokens = Number.POSITIVE_INFINITY } = needs;
  const own = Math.min(needs.ownContext, maxContextWindow, MAX_CONTEXT);
  const mostBytes = Math.min(deviceBytes, room.mostBytes);
  const largestWithin = (most: number, bytes: number): number =>
    largestFitting(Math.min(most, deviceTokens), (window) => bytesAt(window) <= bytes);
  const largest = largestWithin(own, mostBytes);
  const least = Math.min(MIN_CONTEXT, own, wanted ?? own);
  if (largest < least) {
    throw new EngineError(
      "insufficient_memory",
      `The model needs about ${gigabytes(bytesAt(least))} of memory with a context of only ${count(least)} tokens; ${gigabytes(mostBytes)} are available. Use a smaller model or quantisation, or raise the option memoryBudgetBytes if it is set.`,
    );
  }
  const fit: Fit = { own, mostBytes, largest, largestWithin, bytesAt };
  const { window, note } = wanted === undefined ? usualWindow(room, fit) : explicitWindow(wanted, fit);
  return {
    contextWindow: window,
    maxContextWindow: own,
    memoryBytes: bytesAt(window),
    neededBytes: bytesAt(wanted === undefined ? Math.min(USUAL_CONTEXT, window) : window),
    notes: note === undefined ? [] : [note],
  };
}

/** Which windows fit. */
interface Fit {
  /** The largest window of the model, whatever the memory. */
  own: number;
  /** Memory that one model may have. */
  mostBytes: number;
  /** The largest window that fits in it. */
  largest: number;
  /** The largest window up to `most` that fits in so many bytes. */
  largestWithin: (most: number, bytes: number) => number;
  bytesAt: (window: number) => number;
}

interface Window {
  window: number;
  /** Why it is smaller than asked for, or than the default. */
  note?: string | undefined;
}

function explicitWindow(wanted: number, { own, mostBytes, largest, bytesAt }: Fit): Window {
  const window = Math.min(wanted, own);
  if (window > largest) {
    const why =
      bytesAt(window) > mostBytes
        ? `needs about ${gigabytes(bytesAt(window))} of memory, and ${gigabytes(mostBytes)} are available`
        : "needs larger buffers than the graphics card's WebGPU limits allow";
    throw new EngineError(
      "insufficient_memory",
      `A context window of ${count(window)} tokens ${why}. The largest that fits is ${count(largest)}: set contextWindow to at most ${largest}.`,
      { param: "contextWindow" },
    );
  }
  const capped = `The context window is ${count(own)} tokens, the model's own, not the ${count(wanted)} asked for.`;
  return { window, note: wanted > own ? capped : undefined };
}

function usualWindow(room: MemoryRoom, { own, mostBytes, largest, largestWithin, bytesAt }: Fit): Window {
  const ordinary = Math.min(own, DEFAULT_CONTEXT);
  // Idle models are evicted for the usual window, and then leave room for a larger one.
  const isShort = bytesAt(Math.min(USUAL_CONTEXT, ordinary)) > room.freeBytes;
  const roomBytes = room.freeBytes + (isShort ? room.idleBytes : 0);
  const roomy = largestWithin(ordinary, Math.min(mostBytes, roomBytes));
  const window = Math.max(roomy, Math.min(USUAL_CONTEXT, largest));
  const small = `The context window is ${count(window)} tokens, since there is no memory for more; the model's own is ${count(own)}.`;
  return { window, note: window < Math.min(ordinary, USUAL_CONTEXT) ? small : undefined };
}

/** The largest window up to `most` for which `fits`, 0 if there is none; rounded down where it is less than `most`. */
function largestFitting(most: number, fits: (window: number) => boolean): number {
  if (fits(most)) return most;
  let [low, high] = [0, most];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low > STEP ? low - (low % STEP) : low;
}

function count(tokens: number): string {
  return tokens.toLocaleString("en");
}

/** For messages; small amounts in MB. */
export function gigabytes(bytes: number): string {
  const [size, unit] = bytes >= 2 ** 30 / 10 ? [2 ** 30, "GB"] : [2 ** 20, "MB"];
  return `${(bytes / size).toFixed(1)} ${unit}`;
}
