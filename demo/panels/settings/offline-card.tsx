import { offline } from "../../store/offline.ts";
import { Card } from "../../ui/panel.tsx";

/** What works without a network, and the newer version that waits, if there is one. */
export function OfflineCard() {
  const { isReady, isOnline, update } = offline.value;
  return (
    <Card title="Offline">
      <p>{isReady ? READY : NOT_READY}</p>
      <p class="soft small-text">{isOnline ? "There is a network now." : "There is no network now."}</p>
      {update ? (
        <div class="row">
          <button type="button" class="button small" onClick={update}>
            Update
          </button>
          <p class="soft small-text">A newer version is here. Downloads, keys and the books stay.</p>
        </div>
      ) : null}
    </Card>
  );
}

const READY =
  "This console works without a network: its own files and the built-in models are on this device, and every model that was downloaded, the books and your conversations.";
const NOT_READY = "Not everything is on this device yet: stay online until the first visit is complete.";
