import type { ApiKey, KeyLimits } from "infetch/keys";
import { count, formatCount, formatMoney, formatPrice, formatTime } from "../../format/format.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { DescriptionList } from "../../ui/description-list.tsx";

interface KeyCardProps {
  apiKey: ApiKey;
  onRotate: () => void;
  onRevoke: () => void;
}

const LIMIT_WORDS: Record<keyof KeyLimits, (value: number) => string> = {
  requestsPerMinute: (value) => `${count(value, "request")} a minute`,
  tokensPerMinute: (value) => `${count(value, "token")} a minute`,
  concurrentRequests: (value) => `${value.toLocaleString("en")} at once`,
  tokensPerDay: (value) => `${count(value, "token")} a day`,
  tokensPerMonth: (value) => `${count(value, "token")} a month`,
  usdPerDay: (value) => `${formatPrice(value)} a day`,
  usdPerMonth: (value) => `${formatPrice(value)} a month`,
};

/** A key: scopes, limits and usage. */
export function KeyCard({ apiKey, onRotate, onRevoke }: KeyCardProps) {
  const { usage, limits, expiresAt } = apiKey;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const limitWords = (Object.keys(limits) as (keyof KeyLimits)[])
    .filter((name) => limits[name] !== undefined)
    .map((name) => LIMIT_WORDS[name](Number(limits[name])));
  const rows = [
    ["Models", apiKey.models === null ? "All" : apiKey.models.join(", ")],
    ["Endpoints", apiKey.endpoints === null ? "All" : apiKey.endpoints.join(", ")],
    ["Limits", limitWords.join(", ") || "None"],
    [
      "Used",
      `${count(usage.today.tokens, "token")} today, ${formatCount(usage.month.tokens)} and ${formatMoney(usage.month.usd)} this month`,
    ],
    ["Last used", apiKey.lastUsedAt === null ? "Never" : formatTime(apiKey.lastUsedAt)],
    ["Expires", expiresAt === null ? "Never" : formatTime(expiresAt)],
  ] as const;
  return (
    <li class="key-card" aria-label={apiKey.name}>
      <div>
        <h3 class="breakable">
          {apiKey.name}
          {isExpired ? <span class="tag bad">expired</span> : null}
          {apiKey.stored ? null : <span class="tag warn">not stored</span>}
          {apiKey.account === "default" ? null : <span class="tag">{apiKey.account}</span>}
        </h3>
        <p class="mono soft breakable">infetch-{apiKey.id}-…</p>
      </div>
      <div class="row">
        <ConfirmButton label="Rotate" icon="retry" labelled onConfirm={onRotate} />
        <ConfirmButton label="Revoke" labelled onConfirm={onRevoke} />
      </div>
      <DescriptionList class="details" rows={rows} />
    </li>
  );
}
