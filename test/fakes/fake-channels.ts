/**
 * MessageChannels whose ports know on which side of a connection they are, page or server, so that a test can lose
 * messages between the sides. A port that is sent changes sides. Ports of one side alone lose nothing.
 */

export type Side = string;

/** What happens to a message between two sides. */
export type Fate = "arrives" | "is lost" | "waits";

interface Message {
  data: unknown;
  ports: FakePort[];
}

/** @returns the fate of the next message between two sides */
export type Judge = (from: Side, to: Side) => Fate;

let judge: Judge = () => "arrives";
let waiting: (() => void)[] = [];

/** Called for each message between two sides, until the next call. */
export function judgeMessages(next: Judge): void {
  judge = next;
  waiting = [];
}

/** Delivers the messages that wait. */
export function deliverWaiting(): void {
  for (const deliver of waiting.splice(0)) deliver();
}

export class FakePort extends EventTarget {
  side: Side | undefined;
  other!: FakePort;
  #isStarted = false;
  #isClosed = false;
  #arrived: Message[] = [];
  #handler: ((event: MessageEvent) => void) | undefined;

  set onmessage(handler: (event: MessageEvent) => void) {
    this.#handler = handler;
    this.start();
  }

  postMessage(given: unknown, transfer: readonly unknown[] | { transfer?: unknown[] } = []): void {
    const list = Array.isArray(transfer) ? transfer : ((transfer as { transfer?: unknown[] }).transfer ?? []);
    const ports = list.filter((one) => one instanceof FakePort);
    // Copied now, as in a browser, also for a closed port.
    const data = copy(given);
    const { side, other } = this;
    if (this.#isClosed || other.#isClosed) return;
    const isBetween = side !== undefined && other.side !== undefined && side !== other.side;
    for (const port of ports) {
      // Both ends of a new channel begin on the side that sends one of them.
      port.other.side ??= side;
      port.side = other.side;
    }
    const deliver = (): void =>
      void setImmediate(() => {
        if (other.#isClosed) return;
        other.#arrived.push({ data, ports });
        other.#dispatch();
      });
    const fate = isBetween ? judge(side, other.side!) : "arrives";
    if (fate === "arrives") deliver();
    if (fate === "waits") waiting.push(deliver);
  }

  start(): void {
    this.#isStarted = true;
    this.#dispatch();
  }

  close(): void {
    this.#isClosed = true;
  }

  #dispatch(): void {
    if (!this.#isStarted) return;
    for (const { data, ports } of this.#arrived.splice(0)) {
      if (this.#isClosed) return;
      const event = new MessageEvent("message", { data });
      Object.defineProperty(event, "ports", { value: ports });
      this.dispatchEvent(event);
      this.#handler?.(event);
    }
  }
}

export class FakeChannel {
  readonly port1 = new FakePort();
  readonly port2 = new FakePort();

  constructor() {
    this.port1.other = this.port2;
    this.port2.other = this.port1;
  }

  /** A channel between two sides. */
  static between(from: Side, to: Side): FakeChannel {
    const channel = new FakeChannel();
    channel.port1.side = from;
    channel.port2.side = to;
    return channel;
  }
}

/** A structured clone that keeps ports. */
function copy(value: unknown): unknown {
  if (value instanceof FakePort || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copy(one)]));
}
