import type { ChatModelRecord } from "../../catalog/model-record.ts";
import type { ResolvedModel } from "../../catalog/resolve.ts";
import { type Clock, unixSeconds } from "../../clock.ts";
import type { ChatModelInfo } from "../../engine-api/chat-engine.ts";

/** Fields that all objects of a response share. */
export interface ResponseIdentity {
  id: string;
  created: number;
  model: string;
  /** Set by `onEngine`; empty before. */
  systemFingerprint: string;
}

/** @param prefix id prefix, for example `chatcmpl-` */
export function identify(
  prefix: string,
  { name }: ResolvedModel<ChatModelRecord>,
  clock: Clock,
): ResponseIdentity {
  return { id: clock.id(prefix), created: unixSeconds(clock), model: name, systemFingerprint: "" };
}

/** The `onEngine` callback that sets the fingerprint of later objects. */
export function namesEngine(identity: ResponseIdentity): { onEngine: (info: ChatModelInfo) => void } {
  return {
    onEngine: ({ fingerprint }) => {
      identity.systemFingerprint = `fp_${fingerprint}`;
    },
  };
}
