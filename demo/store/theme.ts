/** Theme: light, dark or system. */

import { effect } from "@preact/signals";
import { localSetting } from "./local-setting.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const THEME_NAMES: Record<Theme, string> = { system: "System", light: "Light", dark: "Dark" };

export const theme = localSetting<Theme>("theme", "system", THEMES, { inEveryTab: true });

/** Applies the chosen theme to the page. */
export function startTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
}
