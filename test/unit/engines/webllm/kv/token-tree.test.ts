import { expect, test } from "vitest";
import { TokenTree } from "../../../../../worker/engines/webllm/kv/token-tree.ts";
import { fc } from "../../../../support/random.ts";

const short = fc.array(fc.nat({ max: 2 }), { maxLength: 12 });
const change = fc.record({
  id: fc.nat({ max: 5 }),
  kind: fc.constantFrom("append", "append", "cut", "remove"),
  tokens: short,
});

test("finds the longest common beginning after any appends, cuts and removals", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), short, fc.nat({ max: 12 }), (changes, prompt, limit) => {
      const tree = new TokenTree<number>();
      const model = new Map<number, number[]>();
      for (const { id, kind, tokens } of changes) {
        const known = model.get(id) ?? [];
        if (kind === "remove") {
          tree.remove(id);
          model.delete(id);
        } else if (kind === "cut") {
          if (!model.has(id)) continue;
          tree.cut(id, tokens.length % (known.length + 1));
          model.set(id, known.slice(0, tokens.length % (known.length + 1)));
        } else {
          tree.append(id, tokens);
          model.set(id, [...known, ...tokens]);
        }
      }
      const shared = new Map([...model].map(([id, tokens]) => [id, common(tokens, prompt.slice(0, limit))]));
      const matched = Math.max(0, ...shared.values());
      const found = tree.match(prompt, limit);
      expect(found.matched).toBe(matched);
      const best = matched > 0 ? [...model.keys()].filter((id) => shared.get(id) === matched) : [];
      expect(found.sequences.sort()).toEqual(best.sort());
      expect(tree.isEmpty).toBe(model.size === 0);
      for (const [id, tokens] of model) {
        const others = [...model].filter(([other]) => other !== id).map(([, one]) => one);
        const isPart = others.some((other) => common(other, tokens) === tokens.length);
        expect(tree.isPartOfAnother(id)).toBe(isPart);
      }
    }),
    { numRuns: 500 },
  );
});

function common(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((token, index) => token !== b[index]);
  return at < 0 ? Math.min(a.length, b.length) : at;
}
