/**
 * `infetch/billing`: types of `runtime.billing`, `runtime.usage`, the `billing` option and `/v1/billing`. There is
 * nothing to import at run time.
 *
 * @example
 * import type { Invoice } from "infetch/billing";
 *
 * @module
 */
export type { Billing, Usage } from "../billing.ts";
export type { BillingSettings } from "../options/option-groups.ts";
export type {
  Breakdown,
  Credit,
  CreditGrant,
  ExportFormat,
  ExportRequest,
  ImportReport,
  Invoice,
  InvoiceStatus,
  LineItem,
  ModelPrices,
  OfAccount,
  PriceTable,
  Pricing,
  RateChange,
  Tier,
  TierPrices,
  UsageEvent,
  UsageRange,
  UsdPerMillion,
  VerifyReport,
} from "../protocol/billing.ts";
