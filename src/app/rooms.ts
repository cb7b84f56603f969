import { accessApi } from '#features/access/api.ts';
import { accountsApi, emailChangeApi, passkeysApi, secondFactorApi } from '#features/accounts/api.ts';
import {
  adminButtonsApi,
  adminDebugApi,
  adminFunctionsApi,
  adminInvitationsApi,
  adminJunkApi,
  adminOperationsApi,
  adminPaymentsApi,
  adminSettingsApi,
  adminUsersApi,
} from '#features/admin/api.ts';
import { adminAffiliatesApi, affiliatesApi } from '#features/affiliates/api.ts';
import { albumsApi } from '#features/albums/api.ts';
import { assistantApi } from '#features/assistant/api.ts';
import { adminAuditApi } from '#features/audit/api.ts';
import { consentsApi } from '#features/consents/api.ts';
import { adminConsentsApi } from '#features/consents/desk-api.ts';
import { creditsApi } from '#features/credits/api.ts';
import { dashboardApi } from '#features/dashboard/api.ts';
import { fullCheckApi } from '#features/fullcheck/api.ts';
import { insightsApi } from '#features/insights/api.ts';
import { agreementsApi } from '#features/links/agreements-api.ts';
import { linksApi } from '#features/links/api.ts';
import { passesApi } from '#features/links/passes-api.ts';
import { presetsApi } from '#features/links/presets-api.ts';
import { adminClaimsApi, marketingApi } from '#features/marketing/api.ts';
import { mediaApi } from '#features/media/api.ts';
import { fansApi, moneyApi, payoutsApi } from '#features/money/api.ts';
import { adminMailsApi, noticesApi } from '#features/notices/api.ts';
import { billingApi } from '#features/plans/api.ts';
import { privacyApi } from '#features/privacy/api.ts';
import { referralsApi } from '#features/referrals/api.ts';
import { adminGlassApi, adminReportsApi, reportsApi } from '#features/reports/api.ts';
import { requestsApi } from '#features/requests/api.ts';
import { adminRequestsApi } from '#features/requests/desk-api.ts';
import { refundsApi } from '#features/returns/api.ts';
import { securityApi } from '#features/security/api.ts';
import { adminSupportApi, casesApi, supportApi } from '#features/support/api.ts';
import { tracingApi } from '#features/tracing/api.ts';
import { previewsApi, viewingApi } from '#features/viewing/api.ts';

/** Every room's answers, one line each. */
export const router = {
  notices: noticesApi,
  referrals: referralsApi,
  accounts: accountsApi,
  secondFactor: secondFactorApi,
  emailChange: emailChangeApi,
  passkeys: passkeysApi,
  media: mediaApi,
  albums: albumsApi,
  consents: consentsApi,
  links: linksApi,
  agreements: agreementsApi,
  passes: passesApi,
  access: accessApi,
  presets: presetsApi,
  money: moneyApi,
  billing: billingApi,
  payouts: payoutsApi,
  refunds: refundsApi,
  fans: fansApi,
  security: securityApi,
  viewing: viewingApi,
  previews: previewsApi,
  requests: requestsApi,
  tracing: tracingApi,
  insights: insightsApi,
  assistant: assistantApi,
  credits: creditsApi,
  affiliates: affiliatesApi,
  support: supportApi,
  cases: casesApi,
  reports: reportsApi,
  marketing: marketingApi,
  dashboard: dashboardApi,
  privacy: privacyApi,
  adminUsers: adminUsersApi,
  adminMails: adminMailsApi,
  adminOperations: adminOperationsApi,
  adminButtons: adminButtonsApi,
  adminDebug: adminDebugApi,
  adminFunctions: adminFunctionsApi,
  adminJunk: adminJunkApi,
  adminPayments: adminPaymentsApi,
  adminSettings: adminSettingsApi,
  adminClaims: adminClaimsApi,
  adminInvitations: adminInvitationsApi,
  adminAudit: adminAuditApi,
  adminAffiliates: adminAffiliatesApi,
  adminReports: adminReportsApi,
  adminConsents: adminConsentsApi,
  adminRequests: adminRequestsApi,
  adminGlass: adminGlassApi,
  adminSupport: adminSupportApi,
  fullCheck: fullCheckApi,
};
