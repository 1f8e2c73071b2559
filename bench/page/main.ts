/** Functions in the page, called by name with cloneable values. */

import { measureBatch } from "./batch.ts";
import { measureDecode } from "./decode.ts";
import { measureEmbeddings } from "./embeddings.ts";
import { measureFirstByte } from "./first-byte.ts";
import { measureFirstTokens, measureSharedPrompt } from "./first-token.ts";
import { measureLedger } from "./ledger.ts";
import { measureLlamaCpp, measurePeerChat, measurePeerEmbeddings } from "./peers.ts";
import { runRelay, runSdk, runStreams } from "./port.ts";
import { measureAlone, measureWidths } from "./side-by-side.ts";
import { startInfetch, startRaw } from "./start.ts";
import { measureTurns } from "./turns.ts";

const bench = {
  measureAlone,
  measureBatch,
  measureFirstTokens,
  measureDecode,
  measureEmbeddings,
  measureFirstByte,
  measureLedger,
  measureLlamaCpp,
  measurePeerChat,
  measurePeerEmbeddings,
  measureSharedPrompt,
  measureTurns,
  measureWidths,
  runRelay,
  runSdk,
  runStreams,
  startInfetch,
  startRaw,
};

export type BenchPage = typeof bench;

Object.assign(globalThis, { bench });
