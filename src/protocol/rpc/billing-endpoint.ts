import type {
  Credit,
  CreditGrant,
  ExportRequest,
  ImportReport,
  Invoice,
  OfAccount,
  RateChange,
  UsageEvent,
  UsageRange,
  VerifyReport,
} from "./billing.ts";
import type { Result } from "./result.ts";

/** The calls of `runtime.billing` and `runtime.usage`, which resolve with a {@link Result}. */
export interface BillingEndpoint {
  /** As `runtime.usage.list()`. */
  usage(range?: UsageRange): Promise<Result<UsageEvent[]>>;
  /** As `runtime.billing.closeDuePeriods()`. */
  closeDuePeriods(of?: OfAccount): Promise<Result<Invoice[]>>;
  /** As `runtime.billing.voidInvoice()`. */
  voidInvoice(id: string, reason?: string): Promise<Result<Invoice>>;
  /** As `runtime.billing.regenerateInvoice()`. */
  regenerateInvoice(id: string): Promise<Result<Invoice>>;
  /** As `runtime.billing.voidEvent()`. */
  voidEvent(transactionId: string): Promise<Result<UsageEvent>>;
  /** As `runtime.billing.grantCredit()`. */
  grantCredit(grant: CreditGrant): Promise<Result<Credit>>;
  /** As `runtime.billing.credits()`. */
  credits(of?: OfAccount): Promise<Result<Credit[]>>;
  /** As `runtime.billing.scheduleRate()`. */
  scheduleRate(change: RateChange): Promise<Result<void>>;
  /** As `runtime.billing.exportUsage()`. */
  exportUsage(request?: ExportRequest): Promise<Result<Blob>>;
  /** As `runtime.billing.importUsage()`. */
  importUsage(backup: Blob | string): Promise<Result<ImportReport>>;
  /** As `runtime.billing.verify()`. */
  verify(of?: OfAccount): Promise<Result<VerifyReport>>;
  /** As `runtime.billing.rebuild()`. */
  rebuild(of?: OfAccount): Promise<Result<VerifyReport>>;
}
