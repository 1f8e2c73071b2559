import { vi } from "vitest";

/** Stands in for a page in a secure context. @param stored the content of its localStorage */
export function stubPage(
  stored: Map<string, string>,
  addEventListener: (type: string, listener: (event: never) => void) => void = () => {},
): void {
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("window", { addEventListener });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
}
