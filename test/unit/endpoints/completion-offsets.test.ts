import { expect, test } from "vitest";
import { completionChunk } from "../../../worker/endpoints/completions/serialize.ts";
import { tokenText } from "../../../worker/engines/chat/token-bytes.ts";

test("offsets are places in the text, also behind a character of several tokens", () => {
  const parts = ["Hi ", [0xf0, 0x9f], [0x98, 0x80], " bye", "!"].map((part) =>
    typeof part === "string" ? new TextEncoder().encode(part) : Uint8Array.from(part),
  );
  const logprobs = parts.map((bytes) => ({
    token: tokenText(bytes),
    bytes: [...bytes],
    logprob: -1,
    top: [],
  }));
  const identity = { id: "cmpl-1", created: 1, model: "m", systemFingerprint: "f" };
  const choice = { index: 0, text: "Hi 😀 bye!", logprobs, offset: 10, finishReason: null };
  const [made] = completionChunk(identity, choice, false).choices;
  expect(made!.logprobs!.text_offset).toEqual([10, 13, 13, 15, 19]);
});
