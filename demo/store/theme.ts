/** Theme: light, dark or system. */

import { effect } from "@preact/signals";
import { localSetting } from "./local-setting.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const theme = localSetting<Theme>(
  "theme",
  "system",
  (value): value is Theme => (THEMES as readonly string[]).includes(value),
  { inEveryTab: true },
);

/** Applies the chosen theme to the page. */
export function startTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
}
