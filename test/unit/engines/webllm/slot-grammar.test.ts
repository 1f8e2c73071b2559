import { expect, test } from "vitest";
import { SlotGrammar } from "../../../../worker/engines/webllm/slots/slot-grammar.ts";
import type { GrammarMatcher, Pipeline } from "../../../../worker/engines/webllm/tvm/pipeline.ts";

/** Keeps a matcher and the key of the grammar compiled last, as web-llm 0.2.86 does. */
function pipelineLikeWebLlm() {
  let key: string | undefined;
  const open = new Set<GrammarMatcher>();
  /** What xgrammar keeps, and how many it had kept at each clearing. */
  const compiled = new Set<string>();
  const cleared: number[] = [];
  const ClearCache = () => {
    cleared.push(compiled.size);
    compiled.clear();
  };
  const pipeline = {
    grammarMatcher: undefined as GrammarMatcher | undefined,
    grammarCompiler: { handle: { ClearCache } },
    async prepareGrammarMatcherForSampling({ response_format }: { response_format: unknown }) {
      const wanted = JSON.stringify(response_format);
      if (wanted === key && pipeline.grammarMatcher) return;
      pipeline.grammarMatcher?.dispose();
      const matcher = {
        getNextTokenBitmask: async () => Int32Array.from([wanted.length]),
        acceptToken: () => true,
        dispose: () => open.delete(matcher),
      };
      open.add(matcher);
      compiled.add(wanted);
      pipeline.grammarMatcher = matcher;
      key = wanted;
    },
  };
  return { pipeline: pipeline as unknown as Pipeline, open, compiled, cleared };
}

test("replies side by side have each their own grammar, also after another has ended", async () => {
  const { pipeline, open } = pipelineLikeWebLlm();
  const grammar = (ebnf: string) => new SlotGrammar(pipeline, { type: "grammar", ebnf });
  const [first, second] = [grammar('root ::= "a"'), grammar('root ::= "long one"')];
  await first.prepare();
  await second.prepare();
  first.release();
  const third = grammar('root ::= "long one"');
  await third.prepare();
  expect(await third.mask()).toEqual(await second.mask());
  for (const one of [first, second, third]) one.release();
  expect(open.size).toBe(0);
});

test("compiled grammars are kept for the same tools, but not without end", async () => {
  const { pipeline, compiled, cleared } = pipelineLikeWebLlm();
  const run = async (ebnf: string) => {
    const grammar = new SlotGrammar(pipeline, { type: "grammar", ebnf });
    await grammar.prepare();
    grammar.release();
  };
  for (let turn = 0; turn < 100; turn++) await run(`root ::= "${"a".repeat(50_000)}"`);
  expect(cleared).toEqual([]);
  for (let other = 0; other < 100; other++) {
    await run(`root ::= "${other}${"b".repeat(50_000)}"`);
    expect(compiled.size).toBeLessThan(9);
  }
  await run(`root ::= "${"c".repeat(1_000_000)}"`);
  expect(compiled.size).toBe(1);
});
