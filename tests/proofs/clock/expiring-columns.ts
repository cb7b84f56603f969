/**
 * Every column that says when something is over, and the test that lets its instant pass: file and words of its name.
 * `never` are columns of the auth library for what this app does not offer; they must stay empty.
 */
export const expiringColumns: Record<string, readonly [string, string] | 'never'> = {
  'auth_accounts.access_token_expires_at': 'never',
  'auth_accounts.refresh_token_expires_at': 'never',
  'auth_verifications.expires_at': 'never',
  'album_access_grants.expires_at': [
    'src/features/access/deciding.test.ts',
    'approves for a day, a week or a month, to the second',
  ],
  'album_access_requests.expires_at': [
    'src/features/access/requests.test.ts',
    'is heard for 14 days, to the second, and may ask again after that',
  ],
  'auth_sessions.earlier_cookie_until': [
    'src/features/accounts/sessions/earlier-cookie.test.ts',
    'until their end of then',
  ],
  'auth_sessions.expires_at': ['src/features/accounts/rules.test.ts', 'end at their very instant'],
  'claims.expires_at': ['src/features/marketing/claims/claims.test.ts', 'a confirmation ends at its very instant'],
  'buyer_recovery_tokens.expires_at': [
    'src/features/viewing/recovery/recovery.test.ts',
    'works once, for half an hour, and only as it was sent',
  ],
  'checkout_orders.expires_at': [
    'src/features/money/webhooks/money.test.ts',
    'that never came to a checkout ends, and its place is free again',
  ],
  'credit_lots.expires_at': [
    'src/features/credits/api.test.ts',
    'loses what was given at the very instant a year later, and never what was bought',
  ],
  'credit_orders.expires_at': [
    'tests/proofs/clock/clock.test.ts',
    'alive a second and a millisecond before its instant',
  ],
  'data_exports.opened_until': [
    'src/features/privacy/exports/exports.test.ts',
    'is given to the session alone that has entered the password, and not for longer than a download takes',
  ],
  'data_exports.expires_at': [
    'src/features/privacy/exports/exports.test.ts',
    'is there for seven days, to the instant, and then neither key nor file is',
  ],
  'email_changes.code_expires_at': [
    'src/features/accounts/email-change/email-change.test.ts',
    'a code lives ten minutes and the way back seven days, to the instant',
  ],
  'email_changes.undo_expires_at': [
    'src/features/accounts/email-change/email-change.test.ts',
    'a code lives ten minutes and the way back seven days, to the instant',
  ],
  'email_tokens.code_expires_at': [
    'src/features/accounts/joining/joining.test.ts',
    'a code lives 10 minutes, a link 30, to the instant',
  ],
  'email_tokens.expires_at': [
    'src/features/accounts/joining/joining.test.ts',
    'a code lives 10 minutes, a link 30, to the instant',
  ],
  'fan_subscriptions.period_end': [
    'src/features/viewing/passes/passes.test.ts',
    'is a subscription of its days without a card, which does not renew',
  ],
  'join_tokens.expires_at': [
    'src/features/accounts/joining/invitations.test.ts',
    'used up, expired, revoked and unknown',
  ],
  'key_leases.expires_at': [
    'src/features/viewing/opening/secrecy.test.ts',
    'do not exist with a forged, foreign, changed or late token, or under another tag',
  ],
  'link_policy_log.expires_at': [
    'tests/proofs/clock/expiry.test.ts',
    'the log of rules keeps the end that was in force, and decides nothing',
  ],
  'mail_outbox.expires_at': [
    'src/features/notices/outbox/given-up.test.ts',
    'gives up a code when it has expired, and forgets it',
  ],
  'magic_links.expires_at': [
    'src/features/viewing/leases/access-ends.test.ts',
    'is its very instant, for leases and renewals too',
  ],
  'magic_links.undo_until': ['src/features/links/api.test.ts', 'can be undone for 24 hours, to the second'],
  'magic_links.opens_told_until': [
    'src/features/insights/first-opens/first-opens.test.ts',
    'are told in one email a day with a count for each link, of links whose maker wants every one',
  ],
  'custom_requests.act_until': ['src/features/requests/rules.test.ts', 'is too late at the very instant'],
  'request_codes.expires_at': ['src/features/requests/asking/asking.test.ts', 'is over with its minutes'],
  'gate_codes.expires_at': [
    'src/features/viewing/opening/email-gate.test.ts',
    'works in the browser that asked for it, at its link, once, within ten minutes and five tries',
  ],
  'data_codes.expires_at': ['src/features/privacy/people/people.test.ts', 'takes a code of its own'],
  'pass_codes.expires_at': [
    'src/features/viewing/passes/passes.test.ts',
    'takes five codes of the browser that asked, and forgets them when they are over',
  ],
  // The proof of the clock lets it pass, as it does the others.
  'plan_checkouts.expires_at': [
    'tests/proofs/clock/clock.test.ts',
    'alive a second and a millisecond before its instant',
  ],
  'platform_subscriptions.period_end': [
    'src/features/plans/rules.test.ts',
    'is asked for again at the very instant at which its trial or its month is over',
  ],
  'platform_subscriptions.paused_until': [
    'src/features/plans/rules.test.ts',
    'is asked for again at the very instant at which its trial or its month is over',
  ],
  'platform_subscriptions.trial_end': [
    'src/features/plans/rules.test.ts',
    'is asked for again at the very instant at which its trial or its month is over',
  ],
  'refund_requests.answer_until': [
    'tests/proofs/clock/clock.test.ts',
    'alive a second and a millisecond before its instant',
  ],
  'traces.expires_at': [
    'src/features/tracing/work/trace-work.test.ts',
    'deletes copies after 30 days, at their very instant',
  ],
  'uploads.expires_at': [
    'tests/proofs/clock/expiry.test.ts',
    'an upload is dead at its instant, for the next piece as for the sweeper',
  ],
  'users.free_until': ['src/features/accounts/rules.test.ts', 'free access ends at its very instant, or never'],
  'users.plan_paused_until': ['src/features/plans/pauses/pausing.test.ts', 'lets nothing go that is stored'],
  'users.trial_ends_at': ['src/features/accounts/rules.test.ts', 'a trial is over at its very instant'],
  'viewer_resume_codes.expires_at': [
    'src/features/viewing/opening/gates.test.ts',
    'opens nothing on another link, after 30 days, or after five wrong tries',
  ],
};
