import { THEME_NAMES, THEMES, type Theme, theme } from "../store/theme.ts";
import { Icon, type IconName } from "../ui/icon.tsx";

const ICONS: Record<Theme, IconName> = { system: "screen", light: "sun", dark: "moon" };

/** Theme selector with three toggle buttons. */
export function ThemeSwitch() {
  return (
    <fieldset class="segmented" aria-label="Theme">
      {THEMES.map((one) => (
        <button
          key={one}
          type="button"
          aria-label={THEME_NAMES[one]}
          title={THEME_NAMES[one]}
          aria-pressed={theme.value === one}
          onClick={() => {
            theme.value = one;
          }}
        >
          <Icon name={ICONS[one]} />
        </button>
      ))}
    </fieldset>
  );
}
