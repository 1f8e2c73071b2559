/** The build changes llama.cpp's compiled code only where it finds what it expects. */

import { expect, test } from "vitest";
import { patchPenalties } from "../../scripts/build/llamacpp-penalties.ts";
import { patchText } from "../../scripts/build/llamacpp-text.ts";

/** `i32.const 5, i32.const 1, i32.add, drop`, and `i32.const 7, drop`. */
const CODE = { increment: "410541016a1a", acceptPrompt: "41071a" };
const bytesOf = (hex: string): number[] => [...Buffer.from(hex, "hex")];

const section = (id: number, ...content: number[]): number[] => [id, content.length, ...content];
/** A module with a global and these functions, without parameters and results. */
function moduleOf(...bodies: string[]): Buffer<ArrayBuffer> {
  const functions = bodies.map((hex) => [0, ...bytesOf(hex), 0x0b]);
  return Buffer.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, 0, 0),
    ...section(3, bodies.length, ...bodies.map(() => 0)),
    ...section(6, 1, 0x7f, 1, 0x41, 9, 0x0b),
    ...section(10, bodies.length, ...functions.flatMap((body) => [body.length, ...body])),
    ...section(0, 4, ...Buffer.from("name"), 1, 2, 3),
  ]);
}

test("both places change, in a module that is valid, and the names of functions go", () => {
  const source = moduleOf(CODE.increment, CODE.acceptPrompt);
  const patched = Buffer.from(patchPenalties(source, CODE));
  expect(WebAssembly.validate(new Uint8Array(source))).toBe(true);
  expect(WebAssembly.validate(new Uint8Array(patched))).toBe(true);
  expect(patched.includes(Buffer.from("410523016a1a", "hex"))).toBe(true);
  expect(patched.includes(Buffer.from("4100240141071a41012401", "hex"))).toBe(true);
  expect(patched.includes(Buffer.from("name"))).toBe(false);
});

test.each([
  ["is missing", [CODE.increment]],
  ["is there twice", [CODE.increment, CODE.acceptPrompt, CODE.acceptPrompt]],
  ["is in one function", [CODE.increment + CODE.acceptPrompt]],
])("code of the penalties that %s fails the build", (_, bodies) => {
  expect(() => patchPenalties(moduleOf(...bodies), CODE)).toThrow("wllama's code of the penalties is not");
});

test("code of JSON texts that is missing or there twice fails the build", () => {
  const code = ["20002802f80422", "20003502f80422"] as const;
  expect(() => patchText(Buffer.from(code.join(""), "hex"), code)).not.toThrow();
  for (const wrong of [code[0], code.join("") + code[1]])
    expect(() => patchText(Buffer.from(wrong, "hex"), code)).toThrow("wllama's code of JSON texts is not");
});
