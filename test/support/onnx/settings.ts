/** What the repositories and the tests of them share. */

import { type NetworkOptions, numbers, WIDTH } from "./tiny-network.ts";

export const DENSE_WEIGHT = numbers(4 * WIDTH * 2, 5);
export const RESIDUAL_WEIGHT = numbers(4 * WIDTH * 2, 6);
export const NORM = { weight: numbers(4, 7), bias: numbers(4, 8) };
export const TASKS = ["retrieval.query", "retrieval.passage", "separation"] as const;
export const QUANTIZED: NetworkOptions = { isQuantized: true };
export const ROBERTA: NetworkOptions = { positions: 48 };
export const ADAPTED: NetworkOptions = { tasks: TASKS.length, output: "text_embeds" };
