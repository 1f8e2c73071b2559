/** State of the open conversation: messages, settings, and the reply in progress. */

import { type Signal, signal } from "@preact/signals";
import { begin, forgetLoad, openai } from "../../../store/runtime.ts";
import { explain } from "./advice.ts";
import {
  type Conversation,
  type Message,
  newReply,
  newUserMessage,
  type Reply,
  titleOf,
  type UserMessage,
} from "./conversation.ts";
import type { ChatSettings } from "./settings.ts";
import { writeReply } from "./write-reply.ts";

/** The message being typed. */
export interface Draft {
  readonly text: Signal<string>;
  /** Data URLs. */
  readonly images: Signal<string[]>;
}

export function newDraft(text = ""): Draft {
  return { text: signal(text), images: signal([]) };
}

/** A reply in progress is stored this often. */
const KEEP_EVERY_MS = 2000;

export class LiveConversation {
  readonly settings: Signal<ChatSettings>;
  /** One signal per message, so that a token re-renders a single message. */
  readonly messages: Signal<readonly Signal<Message>[]>;
  readonly draft: Draft;
  /** Aborts the reply in progress; undefined if there is none. */
  readonly running: Signal<AbortController | undefined> = signal(undefined);
  readonly #id: Signal<string>;
  readonly #onChange: (changed: LiveConversation) => void;

  /** @param onChange stores the conversation */
  constructor(conversation: Conversation, draft: Draft, onChange: (changed: LiveConversation) => void) {
    this.#id = signal(conversation.id);
    this.draft = draft;
    this.settings = signal(conversation.settings);
    this.messages = signal(conversation.messages.map((message) => signal(message)));
    this.#onChange = onChange;
  }

  get id(): string {
    return this.#id.value;
  }

  /** Another tab continued the stored conversation: this one is then a copy. */
  set id(id: string) {
    this.#id.value = id;
  }

  change(settings: Partial<ChatSettings>): void {
    this.settings.value = { ...this.settings.value, ...settings };
    if (this.messages.value.length > 0) this.#onChange(this);
  }

  /** Sends a message and starts a reply of `model`. */
  send(text: string, images: string[], model: string): void {
    this.#append(newUserMessage(text, images));
    void this.#reply(model);
  }

  /** Replaces a message and removes all later ones. */
  edit(message: UserMessage, text: string, model: string): void {
    this.#cutBefore(message);
    this.send(text, message.images, model);
  }

  /** Regenerates the last reply. */
  retry(reply: Reply, model: string): void {
    this.#cutBefore(reply);
    void this.#reply(model);
  }

  stop(): void {
    this.running.value?.abort();
  }

  snapshot(): Conversation {
    const messages = this.messages.value.map((message) => message.value);
    return {
      id: this.id,
      title: titleOf(messages),
      changedAtMs: Date.now(),
      settings: this.settings.value,
      messages,
    };
  }

  async #reply(model: string): Promise<void> {
    this.stop();
    const history = this.messages.value.map((message) => message.value);
    const shown = this.#append(newReply(model));
    const own = new AbortController();
    this.running.value = own;
    const end = begin("Writing");
    const draw = onceEachFrame((reply: Reply) => {
      shown.value = reply;
    });
    const keeper = atMostEvery(KEEP_EVERY_MS, () => {
      // A hidden page draws no frames.
      draw.now(draw.newest(shown.value as Reply));
      this.#onChange(this);
    });
    const show = (reply: Reply): void => {
      draw.later(reply);
      keeper.later();
    };
    try {
      const client = await openai();
      const reply = shown.value as Reply;
      const settings = this.settings.value;
      const done = await writeReply(client, { settings, history, reply, signal: own.signal, onChange: show });
      draw.now(done);
    } catch (error) {
      forgetLoad(model);
      draw.now({ ...draw.newest(shown.value as Reply), state: "failed", reason: explain(error) });
    } finally {
      keeper.cancel();
      end();
      if (this.running.value === own) this.running.value = undefined;
      this.#onChange(this);
    }
  }

  #append<T extends Message>(message: T): Signal<Message> {
    const added: Signal<Message> = signal(message);
    this.messages.value = [...this.messages.value, added];
    this.#onChange(this);
    return added;
  }

  #cutBefore({ id }: Message): void {
    this.stop();
    const at = this.messages.value.findIndex((message) => message.value.id === id);
    if (at >= 0) this.messages.value = this.messages.value.slice(0, at);
  }
}

/** Calls `work` once, some time after the first of several calls. */
function atMostEvery(milliseconds: number, work: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    later(): void {
      timer ??= setTimeout(() => {
        timer = undefined;
        work();
      }, milliseconds);
    },
    cancel: (): void => clearTimeout(timer),
  };
}

/** Limits renders to one per frame, since tokens may arrive faster. */
function onceEachFrame<T>(draw: (value: T) => void) {
  let waiting: { value: T } | undefined;
  let latest: { value: T } | undefined;
  return {
    later(value: T): void {
      latest = { value };
      if (!waiting) {
        requestAnimationFrame(() => {
          if (waiting) draw(waiting.value);
          waiting = undefined;
        });
      }
      waiting = latest;
    },
    now(value: T): void {
      waiting = undefined;
      draw(value);
    },
    /** Latest value, rendered or not. */
    newest: (otherwise: T): T => (latest ? latest.value : otherwise),
  };
}
