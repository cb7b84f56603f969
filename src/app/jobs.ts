import type { Engines } from '#engines/engines.ts';
import { declareAccountJobs } from '#features/accounts/jobs.ts';
import { declareAuditJobs } from '#features/audit/jobs.ts';
import { declareNoticeJobs } from '#features/notices/jobs.ts';

/** Every room's background work, one line each. */
export function declareJobs(engines: Engines): void {
  declareAuditJobs(engines);
  declareNoticeJobs(engines);
  declareAccountJobs(engines);
}
