import { count, formatBytes } from "../../format/format.ts";
import { addressOf } from "../../store/navigation.ts";
import { storage } from "../../store/storage.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { WhenReady } from "../../ui/states.tsx";
import { deleteModel } from "./store.ts";

/** Storage used by models, and stored models that are no longer listed. */
export function StorageLine({ named }: { named: ReadonlySet<string> }) {
  return (
    <WhenReady of={storage} what="what is stored">
      {({ models, usageBytes, quotaBytes, persisted }) => {
        const bytes = models.reduce((sum, model) => sum + model.bytes + model.partialBytes, 0);
        const orphans = models.filter(({ model }) => !named.has(model));
        return (
          <>
            <p class="soft small-text">
              {models.length === 0
                ? "No model is stored on this device yet"
                : `${count(models.length, "model")} kept on this device: ${formatBytes(bytes)}`}
              {usageBytes !== null && quotaBytes !== null
                ? `. Everything of this origin takes ${formatBytes(usageBytes)} of ${formatBytes(quotaBytes)}.`
                : "."}{" "}
              {persisted ? null : (
                <>
                  The browser may clear it: <a href={addressOf("settings", "preferences")}>ask it not to</a>.
                </>
              )}
            </p>
            {orphans.length > 0 ? (
              <ul class="orphans" aria-label="Models that nothing names any more">
                {orphans.map((orphan) => (
                  <li key={orphan.model} class="row">
                    <span class="breakable">{orphan.model}</span>
                    <span class="soft">{formatBytes(orphan.bytes + orphan.partialBytes)}</span>
                    <ConfirmButton
                      label={`Delete ${orphan.model}`}
                      onConfirm={() => void deleteModel(orphan.model)}
                    />
                  </li>
                ))}
              </ul>
            ) : null}
          </>
        );
      }}
    </WhenReady>
  );
}
