import { expect, test } from "vitest";
import { testApp } from "../../support/test-app.ts";

/** The prompt that the engine receives for these messages. */
async function promptOf(messages: unknown[], more: object = {}): Promise<string> {
  const { post, engine } = await testApp();
  const response = await post("/v1/chat/completions", { model: "infetch-tiny", messages, ...more });
  expect(response.status, await response.clone().text()).toBe(200);
  return String(engine.requests[0]?.prompt);
}

const turn = (role: string, text: string): string => `<|im_start|>${role}\n${text}<|im_end|>\n`;
const HEAD = "<|im_start|>assistant\n";

test("text arrives exactly as it was sent", async () => {
  const text = "$$x$$ $& $` $' {system_message} {user_message} <|im_end|> \u{1F600} \u{10FFFF} \\ \n\t end";
  expect(await promptOf([{ role: "user", content: text }])).toBe(turn("user", text) + HEAD);
  expect(
    await promptOf([
      { role: "system", content: text },
      { role: "user", content: "x" },
    ]),
  ).toBe(turn("system", text) + turn("user", "x") + HEAD);
});

test("parts are joined, developer is system, leading system messages are one", async () => {
  const messages = [
    {
      role: "developer",
      content: [
        { type: "text", text: "A" },
        { type: "text", text: "B" },
      ],
    },
    { role: "system", content: "C" },
    {
      role: "user",
      content: [
        { type: "text", text: "D" },
        { type: "text", text: "E" },
      ],
    },
  ];
  expect(await promptOf(messages)).toBe(turn("system", "AB\n\nC") + turn("user", "DE") + HEAD);
});

test("a refusal is text of the assistant, also of one with a text", async () => {
  for (const [said, text] of [
    [{ content: null, refusal: "No." }, "No."],
    [{ refusal: "No." }, "No."],
    [{ content: "", refusal: "No." }, "No."],
    [{ content: [], refusal: "No." }, "No."],
    [{ content: "Hm.", refusal: "No." }, "Hm.\n\nNo."],
    [{ content: "Hm.", refusal: "" }, "Hm."],
    [{ content: [{ type: "refusal", refusal: "No." }], refusal: null }, "No."],
  ] as const) {
    const messages = [
      { role: "user", content: "1" },
      { role: "assistant", ...said },
      { role: "user", content: "2" },
    ];
    expect(await promptOf(messages)).toBe(
      turn("user", "1") + turn("assistant", text) + turn("user", "2") + HEAD,
    );
  }
});

test("a later system message keeps its place, two users in a row stay two, an assistant may be last", async () => {
  const messages = [
    { role: "user", content: "1" },
    { role: "user", content: "2" },
    { role: "assistant", content: "3" },
    { role: "system", content: "4" },
    { role: "assistant", content: [{ type: "text", text: "5" }] },
  ];
  expect(await promptOf(messages)).toBe(
    turn("user", "1") +
      turn("user", "2") +
      turn("assistant", "3") +
      turn("system", "4") +
      turn("assistant", "5") +
      HEAD,
  );
});

test("half a character is U+FFFD: engines refuse it, or make one character of it and the next", async () => {
  const messages = [
    { role: "system", content: "cut \ud83d" },
    { role: "user", content: "\udc00\u{1F600} and \ud83d" },
  ];
  expect(await promptOf(messages)).toBe(
    `${turn("system", "cut \ufffd")}${turn("user", "\ufffd\u{1F600} and \ufffd")}${HEAD}`,
  );
});

test("a prompt that ends within or after the last message, by MLC's template", async () => {
  const messages = [
    { role: "user", content: "1" },
    { role: "assistant", content: "3 " },
  ];
  const continued = await promptOf(messages, { continue_final_message: true });
  expect(continued).toBe(`${turn("user", "1")}<|im_start|>assistant\n3 `);
  const closed = await promptOf(messages, { add_generation_prompt: false });
  expect(closed).toBe(turn("user", "1") + turn("assistant", "3 "));
});

test("a thought that the last message has begun goes on, by MLC's template", async () => {
  const { post } = await testApp({ reply: () => ["red.\n</th", "ink>\n\nIt is red."] });
  const messages = [
    { role: "user", content: "1" },
    { role: "assistant", content: "<think>\nIt may be " },
  ];
  const body = { model: "infetch-tiny", messages, continue_final_message: true };
  const { choices } = await (await post("/v1/chat/completions", body)).json();
  expect(choices[0].message).toMatchObject({ reasoning_content: "red.", content: "It is red." });
});
