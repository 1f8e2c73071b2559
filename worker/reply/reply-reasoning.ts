import type { ReasoningMarkers } from "../chat-template/reasoning/reasoning-markers.ts";
import type { MessageMarkers } from "../chat-template/traits/message-markers.ts";

/**
 * The optional reasoning block of a reply. Its `answer` markers are dropped, and what may end the reply then; after
 * `channel`, `open` begins a block also later in the reply, and that token or `close` alone is dropped.
 */
export interface ReplyReasoning extends Omit<ReasoningMarkers, "answer" | "messages"> {
  /** The prompt ended with the open marker, so the reply begins inside the block. */
  startsInside?: boolean;
  /** `isOpen`: the prompt ended with its first marker. @default none */
  answer?: NonNullable<ReasoningMarkers["answer"]> & { isOpen?: boolean };
  /** How the messages are written of which a reply is a sequence. @default plain text */
  messages?: ReplyMessages;
}

/** `begun`: the beginning of the message that the prompt ends with. */
export type ReplyMessages =
  /** With headers of channels (`harmony.ts`): `HarmonyReader` reads them. */
  | { kind: "harmony"; begun: string }
  /** With headers that markers end (`message-markers.ts`): `MarkedMessageReader` reads them. */
  | { kind: "marked"; begun: string; markers: MessageMarkers };
