import type { ResponseFormat } from "@mlc-ai/web-llm";
import type { Pipeline } from "./pipeline.ts";

/** Of all kept grammars' texts together; their masks take some 250 bytes a character with 100,000 tokens. */
const MAX_CHARACTERS = 400_000;

type Owner = Pick<Pipeline, "grammarCompiler">;

/** The texts of the grammars that each pipeline keeps. */
const kept = new WeakMap<Owner, Set<string>>();

/** Called before a grammar compiles: xgrammar keeps all of them. Once they are too many, it keeps none but the next ones. */
export function makeRoomFor({ grammar, structural_tag }: ResponseFormat, pipeline: Owner): void {
  // Ours are texts; the package whose types say so is not installed.
  const text: string = grammar ?? structural_tag ?? "";
  const texts = kept.get(pipeline) ?? new Set<string>();
  kept.set(pipeline, texts);
  if (texts.has(text)) return;
  const characters = [...texts].reduce((sum, one) => sum + one.length, text.length);
  if (characters > MAX_CHARACTERS) {
    pipeline.grammarCompiler?.handle.ClearCache();
    texts.clear();
  }
  texts.add(text);
}
