import type { MessageMarkers } from "../chat-template/message-markers.ts";

/** Markers of an optional reasoning block at the start of a reply. */
export interface ReasoningMarkers {
  open: string;
  close: string;
  /** Markers that models write in place of these, either of them. @default none */
  variants?: readonly { open: string; close: string }[];
  /** The prompt ended with the open marker, so the reply begins inside the block. */
  startsInside?: boolean;
  /**
   * Markers around the answer after the block, which are dropped, and what may end the reply then. `isOpen`: the prompt
   * ended with the first. @default none
   */
  answer?: { open: string; close: string; end?: string; isOpen?: boolean };
  /**
   * The token that `open` begins with, of models that also think later in a reply: there `open` begins a block, and this
   * token or `close` alone is dropped. @default one block, at the start
   */
  channel?: string;
  /** How the messages are written of which a reply is a sequence. @default plain text */
  messages?: ReplyMessages;
}

/** `begun`: the beginning of the message that the prompt ends with. */
export type ReplyMessages =
  /** With headers of channels (`harmony.ts`): `HarmonyReader` reads them. */
  | { kind: "harmony"; begun: string }
  /** With headers that markers end (`message-markers.ts`): `MarkedMessageReader` reads them. */
  | { kind: "marked"; begun: string; markers: MessageMarkers };
