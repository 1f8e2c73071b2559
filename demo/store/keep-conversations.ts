/** Whether conversations are stored on this device; "no" deletes them. */

import { localSetting } from "./local-setting.ts";

export const keepConversations = localSetting("keep-conversations", "yes", ["yes", "no"], {
  inEveryTab: true,
});
