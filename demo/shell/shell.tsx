import { useEffect } from "preact/hooks";
import { closeMenu, isMenuOpen, PANELS, panelId } from "../store/navigation.ts";
import { connection, startRuntime } from "../store/runtime.ts";
import { Icon } from "../ui/icon.tsx";
import { Failure, Loading } from "../ui/states.tsx";
import { Outlet } from "./outlet.tsx";
import { Sidebar } from "./sidebar.tsx";
import { StatusLine } from "./status-line.tsx";
import "./shell.css";

/** Page layout: menu and panel; on phones the menu opens with a button. */
export function Shell() {
  const { title } = PANELS.find(({ id }) => id === panelId.value)!;
  useEffect(() => {
    document.title = `${title} · infetch`;
  }, [title]);
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={focusContent}>
        Skip to content
      </button>
      <header class="topbar">
        <button
          type="button"
          class="icon-button"
          aria-label="Menu"
          aria-expanded={isMenuOpen.value}
          aria-controls="menu"
          onClick={() => {
            isMenuOpen.value = !isMenuOpen.value;
          }}
        >
          <Icon name={isMenuOpen.value ? "close" : "menu"} />
        </button>
        <span class="topbar-title">{title}</span>
        <StatusLine />
      </header>
      <Sidebar />
      {/* What has the focus would be under the menu. */}
      <main id="content" tabIndex={-1} onFocusIn={closeMenu}>
        <Contents />
      </main>
    </div>
  );
}

function Contents() {
  const state = connection.value;
  if (state.state === "starting") return <Loading what="the runtime" />;
  if (state.state === "ready") return <Outlet />;
  return (
    <div class="panel">
      <h1>No model can run here</h1>
      <Failure reason={state.reason} onRetry={() => void startRuntime()} />
    </div>
  );
}

/** Not a `#` link, because the hash selects the panel. */
function focusContent(): void {
  document.getElementById("content")?.focus();
}
