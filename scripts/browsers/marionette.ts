/**
 * Firefox's own remote protocol (https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html): WebDriver
 * commands over TCP, which geckodriver translates to HTTP. Selenium's client speaks it through this executor.
 */

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { error } from "selenium-webdriver";
import type { Command } from "selenium-webdriver/lib/command.js";

/** WebDriver commands by Selenium's names. */
const COMMANDS: Record<string, string> = {
  get: "WebDriver:Navigate",
  refresh: "WebDriver:Refresh",
  goBack: "WebDriver:Back",
  executeScript: "WebDriver:ExecuteScript",
  getCurrentWindowHandle: "WebDriver:GetWindowHandle",
  newWindow: "WebDriver:NewWindow",
  switchToWindow: "WebDriver:SwitchToWindow",
  close: "WebDriver:CloseWindow",
  setContext: "Marionette:SetContext",
};

interface MarionetteError {
  error: string;
  message: string;
}

/** `[1, id, error, result]`. */
type Reply = [type: number, id: number, failure: MarionetteError | null, result: unknown];

interface PendingCommand {
  resolve: (result: unknown) => void;
  reject: (failure: Error) => void;
}

export class Marionette {
  readonly #socket: Socket;
  readonly #pending = new Map<number, PendingCommand>();
  #received = Buffer.alloc(0);
  #lastId = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (bytes: Buffer) => this.#onBytes(bytes));
    socket.on("error", () => {});
    socket.on("close", () => {
      for (const { reject } of this.#pending.values()) reject(new Error("Firefox closed the connection."));
      this.#pending.clear();
    });
  }

  /** @throws {Error} if the browser does not listen; it does before it writes its port file */
  static async connect(port: number): Promise<Marionette> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new Marionette(socket);
  }

  /** @throws {Error} the WebDriver error, or that the connection closed */
  async execute(command: Command): Promise<unknown> {
    const name = COMMANDS[command.getName()];
    if (!name) throw new error.UnsupportedOperationError(command.getName());
    const { sessionId: _, ...parameters } = command.getParameters() as Record<string, unknown>;
    const result = await this.#send(name, parameters);
    return name === "WebDriver:NewWindow" ? result : ((result as { value?: unknown } | null)?.value ?? null);
  }

  /** Starts a session. */
  newSession(): Promise<{ sessionId: string; capabilities: Record<string, unknown> }> {
    return this.#send("WebDriver:NewSession", {}) as ReturnType<Marionette["newSession"]>;
  }

  #send(name: string, parameters: object): Promise<unknown> {
    const id = ++this.#lastId;
    const message = JSON.stringify([0, id, name, parameters]);
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error("Firefox closed the connection."));
      this.#pending.set(id, { resolve, reject });
      this.#socket.write(`${Buffer.byteLength(message)}:${message}`);
    });
  }

  /** Messages are JSON, preceded by their length in bytes and a colon. The first is a greeting. */
  #onBytes(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    while (true) {
      const colon = this.#received.indexOf(":");
      const end = colon + 1 + Number(this.#received.subarray(0, Math.max(colon, 0)).toString());
      if (colon < 0 || this.#received.length < end) return;
      const message = JSON.parse(this.#received.subarray(colon + 1, end).toString()) as Reply | object;
      this.#received = this.#received.subarray(end);
      if (Array.isArray(message)) this.#onReply(message as Reply);
    }
  }

  #onReply([, id, failure, result]: Reply): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (failure) pending?.reject(Object.assign(new Error(failure.message), { name: failure.error }));
    else pending?.resolve(result);
  }
}
