/**
 * `encrypted_content` of a reasoning item: the thought itself, in base64. Clients that do not rely on stored responses
 * send it back, and leave out items without it.
 */

/** Not the beginning of content that other servers encrypted. */
const PREFIX = "infetch.";

export function toEncryptedContent(thought: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(thought)) binary += String.fromCharCode(byte);
  return PREFIX + btoa(binary);
}

/** `input` without reasoning items whose content was written here: OpenAI refuses what it cannot decrypt. */
export function withoutOwnEncryptedContent(input: unknown): unknown {
  if (!Array.isArray(input)) return input;
  return input.filter((item) => {
    const { type, encrypted_content: content } = Object(item);
    return !(type === "reasoning" && typeof content === "string" && content.startsWith(PREFIX));
  });
}

/** The thought; empty if another server encrypted it. */
export function fromEncryptedContent(content: string): string {
  if (!content.startsWith(PREFIX)) return "";
  try {
    const binary = atob(content.slice(PREFIX.length));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(
      Uint8Array.from(binary, (character) => character.charCodeAt(0)),
    );
  } catch {
    return "";
  }
}
