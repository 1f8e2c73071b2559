import { MessageChannel as NodeChannel } from "node:worker_threads";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type BodyControl,
  type BodyMessage,
  sendBody,
  WINDOW_BYTES,
} from "../../src/protocol/transfer/body.ts";
import { ReceivedBody } from "../../src/protocol/transfer/received-body.ts";
import { fc } from "../support/random.ts";

const channels: MessageChannel[] = [];

afterEach(() => {
  for (const { port1 } of channels.splice(0)) port1.close();
});

/** Sends a body over a real channel; `sentBytes()` counts the bytes posted so far. */
function transmit(stream: ReadableStream<Uint8Array>, signal?: AbortSignal) {
  const channel = new MessageChannel();
  channels.push(channel);
  const { port1, port2 } = channel;
  let sentBytes = 0;
  const post = port1.postMessage.bind(port1);
  port1.postMessage = (message: BodyMessage, options?: Transferable[] | StructuredSerializeOptions) => {
    if (message.type === "chunk") sentBytes += message.bytes.byteLength;
    post(message, options as Transferable[]);
  };
  const sent = sendBody(stream, port1, { signal });
  sent.catch(() => {});
  const body = new ReceivedBody(port2);
  return { sent, body, port1, port2, sentBytes: () => sentBytes };
}

function streamOf(chunks: Uint8Array[], onCancel: (reason: unknown) => void = () => {}) {
  const left = [...chunks];
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = left.shift();
        if (next) controller.enqueue(next);
        else controller.close();
      },
      cancel: onCancel,
    },
    { highWaterMark: 0 },
  );
}

function endless(
  size: number,
  onPull: () => void = () => {},
  onCancel: (reason: unknown) => void = () => {},
) {
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        onPull();
        controller.enqueue(new Uint8Array(size));
      },
      cancel: onCancel,
    },
    { highWaterMark: 0 },
  );
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Waits until every posted message has arrived. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const chunkings = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.uint8Array({ maxLength: 300 }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.integer({ min: 0, max: 3 * WINDOW_BYTES }), fc.nat(255))
        .map(([length, fill]) => new Uint8Array(length).fill(fill)),
    },
  ),
  { maxLength: 12 },
);

describe("what is sent arrives", () => {
  test("whole and in order, however it is cut", async () => {
    await fc.assert(
      fc.asyncProperty(chunkings, async (chunks) => {
        const { sent, body } = transmit(streamOf(chunks));
        const whole = Buffer.concat(chunks);
        expect(whole.equals(await readAll(body.stream))).toBe(true);
        await sent;
        await body.ended;
      }),
      { numRuns: 60 },
    );
  });

  test("also into the buffers of a BYOB reader, of any size", async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 70_000 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(chunkings, sizes, async (chunks, some) => {
        const { body } = transmit(streamOf(chunks));
        const reader = body.stream.getReader({ mode: "byob" });
        // With one large one among them, no body takes hundreds of thousands of reads.
        const turns = [...some, 70_000];
        let turn = 0;
        const next = () => reader.read(new Uint8Array(turns[turn++ % turns.length]!));
        const parts: Uint8Array[] = [];
        for (let one = await next(); !one.done; one = await next()) parts.push(one.value);
        await reader.closed;
        expect(Buffer.concat(parts).equals(Buffer.concat(chunks))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  test("a view sends its own bytes, not the buffer behind it, and keeps them", async () => {
    const view = new Uint8Array(1_000_000).subarray(10, 20).fill(9);
    const { body, sentBytes, port1 } = transmit(streamOf([view]));
    const posted = vi.spyOn(port1, "postMessage");
    expect(await readAll(body.stream)).toEqual(new Uint8Array(10).fill(9));
    expect(sentBytes()).toBe(10);
    const chunk = posted.mock.calls[0]?.[0] as { bytes: Uint8Array };
    expect(chunk.bytes.buffer.byteLength).toBeLessThanOrEqual(10);
    expect(view.byteLength).toBe(10);
  });
});

describe("credit", () => {
  test("a slow reader holds at most the window, whatever the sizes of chunks and reads", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1000, max: 3 * WINDOW_BYTES }),
        fc.array(fc.constantFrom("read", "wait"), { maxLength: 12 }),
        async (size, steps) => {
          const { body, sentBytes } = transmit(endless(size));
          const reader = body.stream.getReader();
          let readBytes = 0;
          for (const step of steps) {
            if (step === "read") readBytes += (await reader.read()).value!.byteLength;
            else await settle();
            expect(sentBytes() - readBytes).toBeLessThanOrEqual(WINDOW_BYTES);
          }
          await reader.cancel();
        },
      ),
      { numRuns: 40 },
    );
  });

  test("a full window does not break what follows into crumbs", async () => {
    const sizes: number[] = [];
    const total = 8 * WINDOW_BYTES;
    const pieces = Array.from({ length: total / 1_000 }, () => new Uint8Array(1_000));
    // A small first piece misaligns everything after it with the window.
    const { body, port1 } = transmit(streamOf([new Uint8Array(7), new Uint8Array(WINDOW_BYTES), ...pieces]));
    const post = port1.postMessage.bind(port1);
    port1.postMessage = (message: BodyMessage, options?: Transferable[] | StructuredSerializeOptions) => {
      if (message.type === "chunk") sizes.push(message.bytes.byteLength);
      post(message, options as Transferable[]);
    };
    // The window fills before anything is read.
    await settle();
    await readAll(body.stream);
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.length).toBeLessThan(1.1 * pieces.length);
  });

  test("each read is acknowledged at once, however far the reader is behind", async () => {
    const { body, port1 } = transmit(
      streamOf(Array.from({ length: 50 }, (_, at) => new Uint8Array(100 + at))),
    );
    const told: BodyControl[] = [];
    port1.addEventListener("message", ({ data }) => told.push(data));
    await body.received;
    expect(told).toEqual([]);
    const [reader] = body.stream.tee().map((branch) => branch.getReader());
    for (let at = 0; at < 50; at++) {
      expect((await reader!.read()).value!.byteLength).toBe(100 + at);
      await vi.waitFor(() => expect(told.at(-1)).toEqual({ type: "credit", bytes: 100 + at }), 30_000);
      expect(told).toHaveLength(at + 1);
    }
    expect((await reader!.read()).done).toBe(true);
    await vi.waitFor(() => expect(told.at(-1)).toEqual({ type: "read" }), 30_000);
  });

  test("nobody reads: the source is not pulled beyond the window", async () => {
    let pulls = 0;
    const { sentBytes } = transmit(endless(1024, () => pulls++));
    await settle();
    expect(sentBytes()).toBe(WINDOW_BYTES);
    await settle();
    expect(pulls).toBeLessThanOrEqual(WINDOW_BYTES / 1024 + 1);
  });
});

describe("ends", () => {
  test("a cancel reaches the source with its reason, and the pump resolves", async () => {
    const onCancel = vi.fn();
    const { sent, body } = transmit(endless(1000, undefined, onCancel));
    const reader = body.stream.getReader();
    await reader.read();
    await reader.cancel("enough");
    await sent;
    await body.ended;
    expect(onCancel).toHaveBeenCalledWith("enough");
  });

  test("a cancel while the sender waits for credit", async () => {
    const onCancel = vi.fn();
    const { sent, body } = transmit(endless(1000, undefined, onCancel));
    await settle();
    await body.stream.cancel("late");
    await sent;
    expect(onCancel).toHaveBeenCalledWith("late");
  });

  test("a failing source: its error arrives with name and code", async () => {
    const error = Object.assign(new RangeError("gone"), { code: "engine_lost" });
    const source = new ReadableStream<Uint8Array>(
      {
        start: (controller) => controller.enqueue(new Uint8Array([1])),
        pull: (controller) => controller.error(error),
      },
      { highWaterMark: 2 },
    );
    const { sent, body } = transmit(source);
    await expect(sent).rejects.toBe(error);
    await expect(readAll(body.stream)).rejects.toMatchObject({ name: "RangeError", code: "engine_lost" });
    await body.ended;
  });

  test("an abort of the sender cancels the source and fails the receiver", async () => {
    const onCancel = vi.fn();
    const abort = new AbortController();
    const { sent, body } = transmit(endless(1000, undefined, onCancel), abort.signal);
    const reader = body.stream.getReader();
    await reader.read();
    const reason = new Error("stop");
    abort.abort(reason);
    await expect(sent).rejects.toBe(reason);
    expect(onCancel).toHaveBeenCalledWith(reason);
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow("stop");
  });

  test("fail(): the reader gets the very error, also for bytes that had come; the source is cancelled", async () => {
    const onCancel = vi.fn();
    const { sent, body } = transmit(endless(1000, undefined, onCancel));
    await settle();
    const error = new Error("the worker is lost");
    body.fail(error);
    await expect(body.stream.getReader().read()).rejects.toBe(error);
    await sent;
    expect(onCancel).toHaveBeenCalled();
  });

  test("fail() after the last byte was read changes nothing; before, it fails the read", async () => {
    const read = transmit(streamOf([new Uint8Array([1])]));
    expect(await readAll(read.body.stream)).toEqual(new Uint8Array([1]));
    read.body.fail(new Error("too late"));
    const unread = transmit(streamOf([new Uint8Array([1])]));
    await unread.body.received;
    unread.body.fail(new Error("in time"));
    await expect(readAll(unread.body.stream)).rejects.toThrow("in time");
    await unread.body.ended;
  });

  test("a reason without a text ends a body like any other", async () => {
    const onCancel = vi.fn();
    const nothing = Object.create(null);
    const aborted = transmit(endless(1000, undefined, onCancel));
    aborted.body.fail(nothing);
    await expect(readAll(aborted.body.stream)).rejects.toBe(nothing);
    await aborted.sent;
    const left = transmit(endless(1000, undefined, onCancel));
    await left.body.stream.cancel(nothing);
    await left.sent;
    expect(onCancel).toHaveBeenCalledTimes(2);
    const failing = transmit(new ReadableStream({ pull: (controller) => controller.error(nothing) }));
    await expect(failing.sent).rejects.toBe(nothing);
    await expect(readAll(failing.body.stream)).rejects.toMatchObject({ code: "body_failed" });
  });

  test("anything but bytes is refused on the sender's side", async () => {
    const source = streamOf(["text" as unknown as Uint8Array]);
    const { sent, body } = transmit(source);
    await expect(sent).rejects.toThrow(TypeError);
    await expect(readAll(body.stream)).rejects.toThrow("must be Uint8Array");
  });

  test("no listener stays on the ports", async () => {
    const { sent, body, port1, port2 } = transmit(streamOf([new Uint8Array(500_000)]));
    const removed1 = vi.spyOn(port1, "removeEventListener");
    const removed2 = vi.spyOn(port2, "removeEventListener");
    await readAll(body.stream);
    await sent;
    expect(removed1).toHaveBeenCalledTimes(1);
    expect(removed2).toHaveBeenCalledTimes(1);
  });

  test("Node's own MessageChannel is the one in use", () => {
    expect(MessageChannel).toBe(NodeChannel);
  });
});

test("cut off, a body ends with the error behind what has arrived; a whole one is not cut off", async () => {
  const open = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Uint8Array.of(1, 2)),
  });
  const { body, port2 } = transmit(open);
  await new Promise((resolve) => port2.addEventListener("message", resolve));
  const error = new Error("dead");
  body.cutOff(error);
  const reader = body.stream.getReader();
  expect((await reader.read()).value).toEqual(Uint8Array.of(1, 2));
  await expect(reader.read()).rejects.toBe(error);
  expect(body.failure).toEqual({ error });

  const whole = transmit(streamOf([Uint8Array.of(3)]));
  await whole.body.received;
  whole.body.cutOff(error);
  expect(await new Response(whole.body.stream).bytes()).toEqual(Uint8Array.of(3));
});
