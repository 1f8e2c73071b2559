import { expect, test } from "vitest";
import { chunkOf } from "../../../../worker/engines/webllm/step/chunk.ts";
import { fc } from "../../../support/random.ts";

test("chunks make up the prompt, none is too long, and the last is one token only if the prompt is", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 3, max: 4096 }), (prompt, most) => {
      const chunks: number[] = [];
      for (let waiting = prompt; waiting > 0; waiting -= chunks.at(-1)!) chunks.push(chunkOf(waiting, most));
      expect(chunks.reduce((sum, one) => sum + one, 0)).toBe(prompt);
      expect(Math.max(...chunks)).toBeLessThanOrEqual(Math.min(most, 256));
      if (prompt > 1) expect(chunks.at(-1)).toBeGreaterThan(1);
    }),
  );
});
