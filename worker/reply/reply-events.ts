/** Parsed events of a reply. */
export type ReplyEvent =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  /** `isCustom`: of a custom tool, whose input deltas have in place of arguments. @default false */
  | { type: "tool-call-start"; index: number; id: string; name: string; isCustom?: true }
  | { type: "tool-call-delta"; index: number; arguments: string; isCustom?: true }
  | { type: "tool-call-end"; index: number };
