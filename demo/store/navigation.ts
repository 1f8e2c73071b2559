/** The selected panel: the part of the URL after `#/`. */

import { computed, signal } from "@preact/signals";
import type { IconName } from "../ui/icon.tsx";

export const PANELS = [
  { id: "chat", title: "Chat", icon: "chat" },
  { id: "models", title: "Models", icon: "cube" },
  { id: "embeddings", title: "Embeddings", icon: "search" },
  { id: "batches", title: "Batches", icon: "layers" },
  { id: "usage", title: "Usage & invoices", icon: "chart" },
  { id: "connect", title: "Connect", icon: "plug" },
  { id: "settings", title: "Settings", icon: "gear" },
] as const satisfies readonly { id: string; title: string; icon: IconName }[];

export type PanelId = (typeof PANELS)[number]["id"];

function readAddress(): { panel: PanelId; section: string } {
  const [, name = "", section = ""] = /^#\/?([\w-]*)\/?([\w-]*)/.exec(location.hash) ?? [];
  return { panel: PANELS.find(({ id }) => id === name)?.id ?? "chat", section };
}

const address = signal(readAddress());

export const panelId = computed(() => address.value.panel);
/** Section of the panel in the URL; empty if none. */
export const section = computed(() => address.value.section);

/** Whether the menu is open, on narrow screens. */
export const isMenuOpen = signal(false);

/** A focus in the menu would be lost with it: it goes to the button that opens the menu. */
export function closeMenu(): void {
  if (!isMenuOpen.value) return;
  isMenuOpen.value = false;
  const button = document.querySelector<HTMLElement>("[aria-controls=menu]");
  if (document.activeElement?.closest("#menu, .scrim")) button?.focus();
}

window.addEventListener("hashchange", () => {
  address.value = readAddress();
  closeMenu();
});

/** Changes the address without an entry in the history. */
export function replaceAddress(panel: PanelId, sectionName: string): void {
  history.replaceState(null, "", addressOf(panel, sectionName));
  address.value = readAddress();
}

/** Link URL of a panel. */
export function addressOf(panel: PanelId, sectionName = ""): string {
  return sectionName === "" ? `#/${panel}` : `#/${panel}/${sectionName}`;
}
