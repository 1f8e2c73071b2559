import { CHANNEL, TOKENS } from "../../chat-template/reasoning/harmony.ts";

/** The header of a message (`harmony.ts`). */
export interface HarmonyHeader {
  /** Whether it is the model's; false for one that it writes in another's place. */
  isOwn: boolean;
  /** What the message is if it is no call. */
  channel: "reasoning" | "text";
  /** The name of the tool that it calls. */
  tool?: string;
}

/** The word of a role or a channel, and what may follow it: a recipient, and how the text is written. */
const WORDS = /^\s*(?:(?!to=)[\w.-])*(\s*to=\s*[^\s<]+)?(\s*<\|constrain\|>\s*\w*|\s+(json|code)\b)?\s*/i;
/** What a limit may have cut in a header. */
const FOLLOWING = ["to=", "json", "code", ...TOKENS];

/** Tools are in this namespace, which models may leave out. */
const NAMESPACE = "functions.";

/**
 * Reads `assistant<|channel|>commentary to=functions.f <|constrain|>json` and what models write instead: the recipient may
 * follow the role, and a part be missing or there twice.
 */
export function readHeader(header: string, tools: ReadonlySet<string>): HarmonyHeader {
  const role = /^\s*([\w.-]*)/.exec(header)![1]!;
  const recipients = Array.from(header.matchAll(/to=\s*([^\s<]+)/g), ([, name]) => name!);
  const names = recipients.flatMap((name) =>
    name.startsWith(NAMESPACE) ? [name, name.slice(NAMESPACE.length)] : [name],
  );
  const tool = names.find((name) => tools.has(name));
  const channel = header.slice(header.lastIndexOf(CHANNEL) + CHANNEL.length).trimStart();
  return {
    isOwn: ["", "to", "assistant"].includes(role),
    channel: header.includes(CHANNEL) && channel.startsWith("analysis") ? "reasoning" : "text",
    ...(tool === undefined ? {} : { tool }),
  };
}

/** Length of the text at the end of a header that lacks `<|message|>`. */
export function textInHeader(header: string): number {
  const last = header.split(CHANNEL).at(-1)!;
  const text = last.slice(WORDS.exec(last)![0].length);
  return FOLLOWING.some((word) => word.startsWith(text)) ? 0 : text.length;
}
