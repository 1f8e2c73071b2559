import { expect, test } from "vitest";
import { runGroups } from "../../../worker/batch/group-pool.ts";
import type { RequestLine } from "../../../worker/batch/lines/request-line.ts";
import type { ResultRow } from "../../../worker/batch/schema.ts";
import { fc } from "../../support/random.ts";

const kind = fc.constantFrom("answers", "answers", "answers", "does not run", "fails");
const line = fc.record({ turns: fc.integer({ min: 0, max: 8 }), kind });

async function* inGroups(count: number, size: number): AsyncGenerator<RequestLine[], void> {
  for (let from = 1; from <= count; from += size) {
    const numbers = Array.from({ length: Math.min(size, count - from + 1) }, (_, at) => from + at);
    yield numbers.map((number) => ({ number, customId: String(number), body: {} }));
  }
}

async function turns(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await Promise.resolve();
}

const resultOf = (number: number): ResultRow => ({ batch_id: "b", line: number, kind: "output", text: "" });

test("whatever fails: no line runs twice or unnoted, what was answered is stored once, and no more run than allowed", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 30 }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 }),
      fc.option(fc.integer({ min: 1, max: 10 })),
      fc.option(fc.integer({ min: 0, max: 30 })),
      async (lines, size, widths, failingWrite, endsAfter) => {
        let asked = 0;
        let writes = 0;
        let noted: readonly number[] = [];
        const running = new Set<number>();
        const begun: number[] = [];
        const answered: number[] = [];
        const stored: number[] = [];
        const failures: string[] = [];
        const refused: number[] = [];
        const fail = (what: string): never => {
          failures.push(what);
          throw new Error(what);
        };
        const ran = runGroups(inGroups(lines.length, size), {
          places: () => widths[asked++ % widths.length]!,
          isOver: () => endsAfter !== null && begun.length >= endsAfter,
          async note(numbers) {
            await turns(2);
            if (++writes === failingWrite) fail("note");
            noted = numbers;
          },
          async run({ number }) {
            expect(noted).toContain(number);
            expect(failures).toEqual([]);
            begun.push(number);
            running.add(number);
            expect(running.size).toBeLessThanOrEqual(size * Math.max(...widths));
            const { turns: length, kind } = lines[number - 1]!;
            await turns(length);
            running.delete(number);
            if (kind === "fails") fail("run");
            if (kind === "answers") answered.push(number);
            return kind === "answers" ? resultOf(number) : undefined;
          },
          async store(results, still) {
            const numbers = results.map((result) => result.line);
            await turns(3);
            if (++writes === failingWrite) {
              refused.push(...numbers);
              fail("store");
            }
            for (const number of running) expect(still).toContain(number);
            stored.push(...numbers);
          },
        });
        const error: Error | undefined = await ran.then(
          () => undefined,
          (cause) => cause,
        );
        expect(running.size).toBe(0);
        expect(error?.message).toBe(failures[0]);
        expect(begun).toEqual(begun.toSorted((a, b) => a - b));
        expect(new Set(begun).size).toBe(begun.length);
        const kept = answered.filter((number) => !refused.includes(number));
        expect(stored.toSorted((a, b) => a - b)).toEqual(kept.toSorted((a, b) => a - b));
        if (failures.length === 0 && endsAfter === null) expect(begun).toHaveLength(lines.length);
      },
    ),
    { numRuns: 300 },
  );
});
