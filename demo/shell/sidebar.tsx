import { useEffect } from "preact/hooks";
import { addressOf, closeMenu, isMenuOpen, PANELS, panelId } from "../store/navigation.ts";
import { offline } from "../store/offline.ts";
import { Icon } from "../ui/icon.tsx";
import { isFreeEscape } from "../ui/keys.ts";
import { shownPanel } from "./panels.ts";
import { StatusLine } from "./status-line.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

/** Menu, the panel's own section, status and theme. */
export function Sidebar() {
  const Extra = shownPanel.value?.Sidebar;
  useEffect(() => {
    const close = (event: KeyboardEvent): void => {
      if (!isMenuOpen.value || !isFreeEscape(event)) return;
      event.preventDefault();
      closeMenu();
    };
    document.addEventListener("keydown", close);
    return () => document.removeEventListener("keydown", close);
  }, []);
  return (
    <>
      {isMenuOpen.value ? <Scrim /> : null}
      <aside id="menu" class={isMenuOpen.value ? "sidebar open" : "sidebar"}>
        {/* A link to the shown panel changes no address. */}
        <a class="brand" href={addressOf("chat")} onClick={closeMenu}>
          <img src={new URL("../icon.svg", import.meta.url).href} alt="" width="26" height="26" />
          infetch
        </a>
        <nav aria-label="Panels">
          {PANELS.map(({ id, title, icon }) => (
            <a
              key={id}
              class="nav-item"
              href={addressOf(id)}
              onClick={closeMenu}
              aria-current={id === panelId.value ? "page" : undefined}
            >
              <Icon name={icon} />
              {title}
            </a>
          ))}
        </nav>
        <div class="sidebar-extra">{Extra ? <Extra /> : null}</div>
        {offline.value.update ? (
          <button type="button" class="button small" onClick={offline.value.update}>
            <Icon name="retry" />
            Install new version
          </button>
        ) : null}
        <footer class="sidebar-foot">
          <StatusLine />
          <ThemeSwitch />
        </footer>
      </aside>
    </>
  );
}

function Scrim() {
  return <button type="button" class="scrim" aria-label="Close menu" onClick={closeMenu} />;
}
