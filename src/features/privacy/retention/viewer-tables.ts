import { erasedName } from '../rules.ts';
import { gone, type PeopleTable, stays, until } from './people-table.ts';

/** Tables of viewers, buyers and strangers, in the order in which an erasure empties them. */
export const viewerTables: Readonly<Record<string, PeopleTable>> = {
  gate_passes: until('13 months after the last visit', 'insights.recount', { viewer: gone('viewer_id') }),
  payment_failures: until('180 days', 'money.reconcile', { viewer: gone('viewer_id') }),
  place_reservations: until('an hour, while somebody pays', 'money.endSales', { viewer: gone('viewer_id') }),
  viewer_resume_codes: until('its end', 'viewing.sweep', { viewer: gone('viewer_id') }),
  viewer_devices: until('13 months after the last visit', 'insights.recount', { viewer: gone('viewer_id') }),
  viewers: until('13 months after the last visit; with a purchase as an id', 'insights.recount', {
    viewer: stays('id', 'an id without a browser: by it a copy is traced', {
      display_name: 'null',
      email: 'null',
      email_verified_at: 'null',
      age_confirmed_at: 'null',
    }),
  }),
  buyer_browsers: until('13 months', 'insights.recount', { buyer: gone('buyer_id') }),
  buyer_recovery_tokens: until('its end', 'viewing.sweep', { buyer: gone('buyer_id') }),
  buyers: until('as long as orders', 'privacy.retain', {
    buyer: stays('id', 'records of payments are kept for seven years', {
      email: "id || '@erased.invalid'",
      verified_at: 'null',
    }),
  }),
  data_codes: until('minutes', 'privacy.sweepExports', { address: gone('email') }),
  pass_codes: until('minutes', 'viewing.sweep', { address: gone('email') }),
  gate_codes: until('minutes', 'viewing.sweep', { address: gone('email') }),
  link_reminders: until('the beginning of its link', 'viewing.remind', { address: gone('email') }),
  affiliates: until('365 days; of a partner as long as the account, without a name 7 years more', 'affiliates.sweep', {
    creator: stays('user_id', 'records of payments are kept for seven years', {
      name: `'${erasedName}'`,
      audience: "'(no longer kept)'",
      note: "''",
      state: "'closed'",
    }),
    // The account's address counts once it is taken up; here there is none any more.
    address: gone('email'),
  }),
  people_erasures: until('for good: it is the certificate, by ids alone', 'account', {
    viewer: stays('viewer_id', 'what was erased when, without a name'),
    address: stays('email', 'emptied with its own end'),
  }),
  users: until('as long as the account; without a name 7 years more', 'privacy.retain', {
    creator: stays('id', 'records of payments are kept for seven years'),
  }),
};

/** Tables of people that no account, viewer or address leads to: ids, hashes, and what is gone within a day. */
export const unnamedTables: Readonly<Record<string, PeopleTable>> = {
  audit_log: until('24 months, by whole months; ids alone', 'privacy.retain'),
  full_checks: until('30 days; who began it by an id without a name once their account is gone', 'fullcheck.nightly'),
  custom_request_events: until('7 years, with the request', 'privacy.retain'),
  dispute_evidence: until('7 years, with the dispute', 'privacy.retain'),
  mail_suppressions: until('for good, as a keyed hash', 'account'),
  auth_verifications: until('minutes', 'account'),
  sign_in_tries: until('a day', 'accounts.sweep'),
  password_tries: until('a day', 'viewing.sweep'),
  password_proofs: until('a day', 'viewing.sweep'),
  rate_limits: until('a day', 'audit.sweepRateLimits'),
  customer_cards: until('as long as the card at the provider', 'money.settleCards'),
  receipts: until('7 years, with the order', 'privacy.retain'),
  held_releases: until('7 years, with the order', 'privacy.retain'),
  fraud_warnings: until('7 years, with the order', 'privacy.retain'),
  plan_invoices: until('7 years, with the plan', 'privacy.retain'),
  plan_pauses: until('7 years, with the plan', 'privacy.retain'),
  report_targets: until('with the report', 'reports.forget'),
  media_matches: until('as long as the medium', 'media.destroy'),
  demo_events: until('90 days', 'marketing.sweep'),
  affiliate_clicks: until('13 months, by the hash of a random number', 'referrals.sweep'),
  junk_plans: until('until the next look of its kind, as ids', 'thing'),
  paused_queues: until('until the queue goes on', 'thing'),
  commissions: until('as long as the partner: by it the books are explained', 'account'),
  affiliate_deductions: until('as long as the partner, with what it was taken from', 'account'),
};

/** Tables in which nobody stands. */
export const tablesWithoutPeople: readonly string[] = [
  'app_settings',
  'audit_checks',
  'audit_seals',
  'blocked_media',
  'call_days',
  'call_figures',
  'claims',
  'fold_watermarks',
  'mail_keys',
  'provider_calls',
  'push_keys',
  'reconciliation_runs',
  'sandbox_attempts',
  'sandbox_events',
  'sandbox_idempotency',
  'sandbox_keys',
  'sandbox_objects',
  'sandbox_settings',
  'sandbox_use',
  'schema_migrations',
  'webhook_inbox',
  'worker_beats',
];
