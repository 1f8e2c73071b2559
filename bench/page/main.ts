/** What runs in the page: the command calls these by name, with values that can be cloned. */

import { measureDecode } from "./decode.ts";
import { measureFirstByte } from "./first-byte.ts";
import { runRelay, runSdk, runStreams } from "./port.ts";

const bench = { measureDecode, measureFirstByte, runRelay, runSdk, runStreams };

export type BenchPage = typeof bench;

Object.assign(globalThis, { bench });
