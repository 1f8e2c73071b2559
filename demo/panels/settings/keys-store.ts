/** Keys of this origin, and the new key, which is shown once. */

import { type Signal, signal } from "@preact/signals";
import type { ApiKey, CreatedKey, KeyRequest } from "infetch/keys";
import { Resource } from "../../store/loadable.ts";
import { oneAtATime } from "../../store/one-at-a-time.ts";
import { runtime } from "../../store/runtime.ts";

export const keys = new Resource((): Promise<ApiKey[]> => runtime().keys.list());

/** Cleared when its dialog closes. */
export const freshKey: Signal<CreatedKey | undefined> = signal(undefined);
export const isCreating = signal(false);

/** @throws {KeyError} whose message describes what is wrong with the request */
export const createKey = oneAtATime(async (request: KeyRequest): Promise<void> => {
  freshKey.value = await runtime().keys.create(request);
  isCreating.value = false;
  await keys.refresh();
});

/** @throws if it was revoked already, for example in another tab: the list then no longer has it */
export async function revokeKey(id: string): Promise<void> {
  try {
    await runtime().keys.revoke(id);
  } finally {
    await keys.refresh();
  }
}

/** @throws as {@link revokeKey} */
export async function rotateKey(id: string): Promise<void> {
  try {
    freshKey.value = await runtime().keys.rotate(id);
  } finally {
    await keys.refresh();
  }
}
