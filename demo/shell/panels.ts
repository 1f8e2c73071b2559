/** Lazy modules of the panels, loaded when first opened. */

import { type Signal, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import type { PanelId } from "../store/navigation.ts";

interface PanelModule {
  default: ComponentType;
  /** The panel's section in the menu. */
  Sidebar?: ComponentType;
}

export const PANEL_CODE: Record<PanelId, () => Promise<PanelModule>> = {
  chat: () => import("../panels/chat/panel.tsx"),
  models: () => import("../panels/models/panel.tsx"),
  embeddings: () => import("../panels/embeddings/panel.tsx"),
  batches: () => import("../panels/batches/panel.tsx"),
  usage: () => import("../panels/usage/panel.tsx"),
  connect: () => import("../panels/connect/panel.tsx"),
  settings: () => import("../panels/settings/panel.tsx"),
};

/** Module of the shown panel, once loaded. */
export const shownPanel: Signal<PanelModule | undefined> = signal(undefined);
