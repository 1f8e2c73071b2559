import { useSignal } from "@preact/signals";
import { formatBytes } from "../../format/format.ts";
import { storage } from "../../store/storage.ts";
import { Card } from "../../ui/panel.tsx";
import { WhenReady } from "../../ui/states.tsx";

/** Storage of this origin, and whether it is persistent. */
export function StorageCard() {
  const wasRefused = useSignal(false);
  const persist = async (): Promise<void> => {
    wasRefused.value = !(await navigator.storage.persist());
    await storage.refresh();
  };
  return (
    <Card title="Storage">
      <WhenReady of={storage} what="the state of the storage">
        {({ usageBytes, quotaBytes, persisted }) => (
          <>
            {usageBytes === null || quotaBytes === null ? (
              <p>The browser does not say how much it stores.</p>
            ) : (
              <>
                <p>
                  {formatBytes(usageBytes)} of {formatBytes(quotaBytes)} are in use for models, the ledger,
                  files and conversations.
                </p>
                <progress aria-label="Storage in use" max={quotaBytes} value={usageBytes} />
              </>
            )}
            {persisted ? (
              <p class="soft small-text">The browser keeps it until you clear it.</p>
            ) : (
              <div class="row">
                <button type="button" class="button small" onClick={() => void persist()}>
                  Request persistent storage
                </button>
                <p class="soft small-text">
                  {wasRefused.value
                    ? "The browser declined: it may clear the storage when space is short. Export the ledger regularly."
                    : "So that downloads and the ledger are not cleared when space is short."}
                </p>
              </div>
            )}
          </>
        )}
      </WhenReady>
    </Card>
  );
}
