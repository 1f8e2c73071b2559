/** Whether conversations are stored on this device; "no" deletes them. */

import { localSetting } from "./local-setting.ts";

const isAnswer = (value: string): value is "yes" | "no" => value === "yes" || value === "no";

export const keepConversations = localSetting<"yes" | "no">("keep-conversations", "yes", isAnswer, {
  inEveryTab: true,
});
