import { useEffect } from "preact/hooks";
import { keepConversations } from "../../store/keep-conversations.ts";
import { storage } from "../../store/storage.ts";
import { support } from "../../store/support.ts";
import { THEME_NAMES, THEMES, theme } from "../../store/theme.ts";
import { bind } from "../../ui/bind.ts";
import { Checkbox } from "../../ui/fields.tsx";
import { Card } from "../../ui/panel.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { WhenSettled } from "../../ui/states.tsx";
import { deleteAllConversations } from "../chat/storage/conversation-database.ts";
import { storedDrafts } from "../chat/storage/stored-drafts.ts";
import { DeviceCard } from "./device-card.tsx";
import { OfflineCard } from "./offline-card.tsx";
import { StorageCard } from "./storage-card.tsx";

/** Storage and theme preferences. */
export function PreferencesSection() {
  useEffect(() => {
    void storage.refresh();
    void support.refresh();
  }, []);
  return (
    <>
      <Card title="Appearance">
        <Segmented
          label="Colours"
          options={THEMES.map((one) => [one, THEME_NAMES[one]] as const)}
          {...bind(theme)}
        />
      </Card>
      <Card title="Conversations">
        <Checkbox
          label="Keep conversations on this device"
          hint="Stored in this browser only. Turning this off deletes stored conversations."
          value={keepConversations.value === "yes"}
          onChange={(isKept) => {
            keepConversations.value = isKept ? "yes" : "no";
            // The chat also does this, but only once it is opened. If storage is denied, nothing was stored.
            if (isKept) return;
            deleteAllConversations().catch(() => {});
            storedDrafts.keep(new Map());
          }}
        />
      </Card>
      <WhenSettled of={[storage, support]} what="the state of this device">
        <StorageCard />
        <DeviceCard />
        {/* The last one: it grows when all files are stored. */}
        <OfflineCard />
      </WhenSettled>
    </>
  );
}
