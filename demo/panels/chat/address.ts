/** The address names the open conversation, so that a reload, a link and the Back button open it. */

import { effect } from "@preact/signals";
import { addressOf, panelId, replaceAddress, section } from "../../store/navigation.ts";
import { current, isRead, openConversation } from "./store.ts";

/** Opens the conversation of the address, and follows both. Returns a function that stops it. */
export function followAddress(): () => void {
  let shown = "";
  return effect(() => {
    if (panelId.value !== "chat" || !isRead.value) return;
    const wanted = section.value;
    const { id } = current.value;
    const isOpened = shown !== "" && shown !== id;
    shown = id;
    if (wanted === id) return;
    if (isOpened) location.hash = addressOf("chat", id);
    else if (openConversation(wanted)) shown = wanted;
    else replaceAddress("chat", id);
  });
}
