import { expect, test } from "vitest";
import { readEvents, type ServerSentEvent } from "../../../worker/http/sse/sse-reader.ts";
import { fc } from "../../support/random.ts";

/** A body that delivers `pieces`, one per read. */
function bodyOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const left = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const piece = left.shift();
      if (piece) controller.enqueue(piece);
      else controller.close();
    },
  });
}

async function read(...texts: string[]): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of readEvents(bodyOf(texts.map((text) => new TextEncoder().encode(text)))))
    events.push(event);
  return events;
}

test("lines end in any of the three ways, and comments say nothing", async () => {
  expect(await read(": ping\n\ndata: a\r\n\r\nevent: x\rdata:b\rdata:  c\r\rid: 1\n")).toEqual([
    { event: undefined, data: "a" },
    { event: "x", data: "b\n c" },
  ]);
});

test.each(["", "\n", "\n\n", "\r", "\r\n", "\r\n\r", "\r\n\r\n"])(
  "the last event is read once, with the end %j",
  async (end) => {
    const last = [{ event: "x", data: "b" }];
    expect(await read(`event: x\ndata: b${end}`)).toEqual(last);
    expect(await read("event: x\n", "data: b", ...end)).toEqual(last);
  },
);

test("a body that fails has no last event", async () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("data: a\n\ndata: b\n")),
    pull: (controller) => controller.error(new TypeError("lost")),
  });
  const events: string[] = [];
  const reading = (async () => {
    for await (const { data } of readEvents(body)) events.push(data);
  })();
  await expect(reading).rejects.toThrow("lost");
  expect(events).not.toContain("b");
});

test("wherever the bytes are cut, the same events come out", async () => {
  const event = fc.record({
    name: fc.option(fc.stringMatching(/^[a-z.]{1,9}$/), { nil: undefined }),
    data: fc.array(
      fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\r\n]/g, "")),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
  });
  const ends = fc.constantFrom("\n", "\r\n", "\r");
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 5 }),
      ends,
      fc.array(fc.nat(40), { maxLength: 20 }),
      async (events, end, cuts) => {
        const text = events
          .map(({ name, data }) => {
            const lines = data.map((line) => `data: ${line}`);
            return [...(name ? [`event: ${name}`] : []), ...lines, "", ""].join(end);
          })
          .join("");
        const bytes = new TextEncoder().encode(`${text}: the end\n`);
        const pieces: Uint8Array[] = [];
        let at = 0;
        for (const length of [...cuts, bytes.length]) {
          pieces.push(bytes.subarray(at, at + length));
          at += length;
        }
        const found: ServerSentEvent[] = [];
        for await (const one of readEvents(bodyOf(pieces))) found.push(one);
        expect(found).toEqual(events.map(({ name, data }) => ({ event: name, data: data.join("\n") })));
      },
    ),
    { numRuns: 300 },
  );
});

test("a reader that stops early lets the connection go", async () => {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("data: a\n\n")),
    cancel: () => {
      isCancelled = true;
    },
  });
  for await (const _ of readEvents(body)) break;
  expect(isCancelled).toBe(true);
});
