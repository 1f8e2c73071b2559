/** Keys of pages, which live as long as any connection of their page. */

import { expect, test } from "vitest";
import { mintKey } from "../../../../src/port/page-key.ts";
import { KeyRing } from "../../../../worker/usage/keys/key-ring.ts";

test("a page that has reconnected keeps its key when its old connection ends; a closed page loses it", async () => {
  const keys = new KeyRing();
  const { apiKey, registration } = await mintKey();
  const isKnown = async () => (await keys.verify(apiKey)) !== undefined;
  keys.register(registration);
  keys.register(registration);
  keys.forget(registration.accessKey);
  expect(await isKnown()).toBe(true);
  keys.forget(registration.accessKey);
  expect(await isKnown()).toBe(false);
  keys.forget(registration.accessKey);
  keys.register(registration);
  expect(await isKnown()).toBe(true);
});
