import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type PanelId, panelId } from "../store/navigation.ts";
import { Failure, Loading } from "../ui/states.tsx";
import { PANEL_CODE, shownPanel } from "./panels.ts";

let isFirst = true;

/** The panel selected by the URL. */
export function Outlet() {
  const id = panelId.value;
  const failed = useSignal(false);

  const open = async (wanted: PanelId): Promise<void> => {
    failed.value = false;
    try {
      const opened = await PANEL_CODE[wanted]();
      if (panelId.value !== wanted) return;
      shownPanel.value = opened;
      // Move focus to the new panel's title for keyboard users.
      if (!isFirst) requestAnimationFrame(() => document.querySelector<HTMLElement>("main h1")?.focus());
      isFirst = false;
    } catch {
      failed.value = panelId.value === wanted;
    }
  };

  useEffect(() => {
    shownPanel.value = undefined;
    void open(id);
  }, [id]);

  if (failed.value) {
    return (
      <div class="panel">
        <Failure
          // Firefox fetches the code of a failed import again only after a reload.
          reason="The code of this panel could not be fetched. Check the connection and try again. If it fails again, reload the page."
          onRetry={() => void open(id)}
        />
      </div>
    );
  }
  const Shown = shownPanel.value?.default;
  return Shown ? <Shown /> : <Loading what="the panel" />;
}
