import type { Engines } from '#engines/engines.ts';
import { declareAccessJobs } from '#features/access/jobs.ts';
import { declareAccountJobs } from '#features/accounts/jobs.ts';
import { declareAffiliateJobs } from '#features/affiliates/jobs.ts';
import { declareAlbumJobs } from '#features/albums/jobs.ts';
import { declareAuditJobs } from '#features/audit/jobs.ts';
import { declareConsentJobs } from '#features/consents/jobs.ts';
import { declareCreditJobs } from '#features/credits/jobs.ts';
import { declareInsightsJobs } from '#features/insights/jobs.ts';
import { declareLinkJobs } from '#features/links/jobs.ts';
import { declareMarketingJobs } from '#features/marketing/jobs.ts';
import { declareMediaJobs } from '#features/media/jobs.ts';
import { declareMoneyJobs } from '#features/money/jobs.ts';
import { declareNoticeJobs } from '#features/notices/jobs.ts';
import { declareOrderJobs } from '#features/orders/jobs.ts';
import { declarePlanJobs } from '#features/plans/jobs.ts';
import { declarePrivacyJobs } from '#features/privacy/jobs.ts';
import { declareReportJobs } from '#features/reports/jobs.ts';
import { declareRequestJobs } from '#features/requests/jobs.ts';
import { declareReturnJobs } from '#features/returns/jobs.ts';
import { declareSecurityJobs } from '#features/security/jobs.ts';
import { declareSupportJobs } from '#features/support/jobs.ts';
import { declareTracingJobs } from '#features/tracing/jobs.ts';
import { declareViewingJobs } from '#features/viewing/jobs.ts';
import { declareBackupJobs } from './backup/backup-watch.ts';

/** Every room's background work, one line each. @returns stops it: waits up to 4 s for what is short, and ends videos at once */
export function declareJobs(engines: Engines): () => Promise<void> {
  declareAuditJobs(engines);
  declareNoticeJobs(engines);
  declareAccountJobs(engines);
  declareMediaJobs(engines);
  declareConsentJobs(engines);
  declareLinkJobs(engines);
  declareAccessJobs(engines);
  declareSecurityJobs(engines);
  declareViewingJobs(engines);
  declareRequestJobs(engines);
  declareInsightsJobs(engines);
  declareMarketingJobs(engines);
  declareCreditJobs(engines);
  declareAffiliateJobs(engines);
  declareSupportJobs(engines);
  declareReportJobs(engines);
  declarePrivacyJobs(engines);
  declareBackupJobs(engines);
  declarePlanJobs(engines);
  declareOrderJobs(engines);
  declareReturnJobs(engines);
  const endMoney = declareMoneyJobs(engines);
  const albums = declareAlbumJobs(engines);
  const endTracing = declareTracingJobs(engines);
  return async () => {
    await Promise.all([engines.jobs.stop(), albums.putVideosBack()]);
    await Promise.all([albums.end(), endTracing(), endMoney()]);
  };
}
