/** Greedy replies of llama2.c itself. */

import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Llama2c } from "./llama2c.ts";

/** llama2.c compiled by Emscripten. */
interface Module {
  addFunction(
    callback: (text: number, token: number, logit: number, isLast: number) => void,
    types: string,
  ): number;
  UTF8ToString(at: number): string;
  ccall(name: string, result: null, types: string[], values: unknown[]): void;
}

/** Texts of the tokens of prompt and reply, without BOS. */
export type Reference = string[];

/**
 * @param folder for the module's data
 * @param prompts of words that are tokens: this llama2.c reads other characters as bytes
 * @param count most tokens of prompt and reply
 */
export async function referenceReplies(
  { script, data }: Llama2c,
  folder: string,
  prompts: readonly string[],
  count: number,
): Promise<Reference[]> {
  const file = join(folder, "llama2.data");
  await writeFile(file, data);
  const start = createRequire(import.meta.url)(script) as (options: object) => Promise<Module>;
  const module = await start({
    locateFile: (name: string) => (name.endsWith(".data") ? file : join(script, "..", name)),
    arguments: ["model.bin"],
    print() {},
  });
  const replies: Reference[] = [];
  for (const prompt of prompts) {
    const texts: Reference = [];
    await new Promise<void>((done) => {
      const callback = module.addFunction((piece, _token, _logit, isLast) => {
        texts.push(module.UTF8ToString(piece));
        if (isLast) done();
      }, "viifi");
      module.ccall("register_callback", null, ["number"], [callback]);
      module.ccall("set_parameters", null, ["number", "number"], [0, count]);
      module.ccall("generate", null, ["string"], [prompt]);
    });
    replies.push(texts);
  }
  return replies;
}
