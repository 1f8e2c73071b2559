/** Where the user writes: sends on Enter, stops on Escape, and is one of both at a time. */

import { element } from "./elements.ts";

export class Composer {
  readonly #input = element("input", HTMLTextAreaElement);
  readonly #send = element("send", HTMLButtonElement);
  readonly #stop = element("stop", HTMLButtonElement);
  #running: AbortController | undefined;

  constructor(onSend: (text: string) => void) {
    const submit = (): void => {
      const text = this.#input.value.trim();
      if (text === "" || this.#running) return;
      this.#input.value = "";
      this.#fit();
      onSend(text);
    };
    element("composer", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      submit();
    });
    this.#input.addEventListener("input", () => this.#fit());
    this.#input.addEventListener("keydown", (event) => {
      // While an input method composes, Enter picks a candidate.
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      submit();
    });
    this.#stop.addEventListener("click", () => this.#running?.abort());
    document.addEventListener("keydown", (event) => {
      // In the other view Escape is meant for what is there.
      if (event.key === "Escape" && this.#input.checkVisibility()) this.#running?.abort();
    });
  }

  /** Opens it for the first message. */
  enable(): void {
    this.#input.disabled = false;
    this.#fit();
    this.#input.focus();
  }

  /** Runs `work` with a stop button instead of the send button; the signal aborts when it is pressed. */
  async whileBusy<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#running = new AbortController();
    this.#show(true);
    try {
      return await work(this.#running.signal);
    } finally {
      this.#running = undefined;
      this.#show(false);
    }
  }

  #show(busy: boolean): void {
    const hadFocus = document.activeElement === this.#stop || document.activeElement === this.#send;
    this.#send.hidden = busy;
    this.#stop.hidden = !busy;
    // The button under the focus goes: without this the keyboard would start at the top of the page again.
    if (hadFocus) this.#input.focus();
  }

  /** As many rows as there are lines, up to six; the send button waits for something to send. */
  #fit(): void {
    const { value } = this.#input;
    this.#input.rows = Math.min(6, value.split("\n").length);
    this.#send.disabled = this.#input.disabled || value.trim() === "";
  }
}
