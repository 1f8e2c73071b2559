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
  /**
   * The beginning of the message that the prompt ends with, of models whose replies are messages with headers
   * (`harmony.ts`); `MessageReader` reads these. @default plain text
   */
  message?: string;
  /**
   * The same of models whose headers end with markers (`message-markers.ts`); `MarkedMessageReader` reads these replies.
   * @default plain text
   */
  marked?: { markers: MessageMarkers; begun: string };
}
