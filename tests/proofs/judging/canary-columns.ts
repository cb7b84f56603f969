import type { Canary } from './canary-search.ts';

type For = Canary['for'];

/** Columns of text of which a creator has rows in the proof, whose they are, and who may come to read them. */
export const planted: readonly (readonly [table: string, owner: string, columns: Record<string, For>])[] = [
  ['users', 'id', { email: 'hers', display_name: 'shown', handle: 'hers', bio: 'hers', image: 'nobody' }],
  ['user_devices', 'user_id', { device: 'nobody' }],
  ['auth_sessions', 'user_id', { user_agent: 'hers' }],
  [
    'auth_accounts',
    'user_id',
    { account_id: 'nobody', access_token: 'nobody', refresh_token: 'nobody', id_token: 'nobody', scope: 'nobody' },
  ],
  ['albums', 'user_id', { name: 'shown', description: 'hers', watermark_text: 'shown', search_text: 'nobody' }],
  ['album_items', 'user_id', { caption: 'shown' }],
  ['media', 'creator_id', { original_name: 'hers', fail_text: 'hers', phash: 'nobody', phash_mirrored: 'nobody' }],
  ['uploads', 'creator_id', { original_name: 'hers' }],
  [
    'magic_links',
    'user_id',
    { link_name: 'hers', welcome_text: 'shown', note: 'hers', recipient_name: 'hers', search_text: 'nobody' },
  ],
  ['link_presets', 'user_id', { name: 'hers' }],
  ['agreements', 'user_id', { title: 'shown', body: 'shown' }],
  ['agreement_acceptances', 'creator_id', { typed_name: 'hers' }],
  ['viewer_aliases', 'creator_id', { alias: 'hers' }],
  ['viewer_blocks', 'creator_id', { reason: 'hers' }],
  ['viewer_sessions', 'creator_id', { region: 'hers', city: 'hers' }],
  ['viewers', 'viewer', { display_name: 'hers', email: 'hers' }],
  ['viewer_devices', 'viewer_id', { screen: 'nobody', evidence_fp: 'nobody' }],
  [
    'error_logs',
    'user_id',
    { error_message: 'nobody', error_stack: 'nobody', url: 'nobody', user_agent: 'nobody', request_id: 'nobody' },
  ],
  [
    'lead_captures',
    'user_id',
    { email: 'nobody', vid: 'nobody', page_path: 'nobody', referrer: 'nobody', user_agent: 'nobody' },
  ],
  ['visit_events', 'user_id', { vid: 'nobody', path: 'nobody', referrer: 'nobody', user_agent: 'nobody' }],
  ['conversion_events', 'user_id', { session_id: 'nobody', page_path: 'nobody' }],
  ['auth_verifications', 'identifier', { value: 'nobody' }],
  // The address last: by it the row is found.
  ['affiliates', 'applicant', { name: 'desk', audience: 'desk', note: 'desk', email: 'desk' }],
  ['affiliate_referrals', 'user_id', { void_note: 'desk' }],
  ['support_answers', 'asked', { text: 'desk' }],
  ['support_replies', 'asked', { text: 'desk' }],
  ['break_glasses', 'creator_id', { reason: 'desk', untold_because: 'desk' }],
  ['account_notes', 'user_id', { text: 'desk' }],
  ['support_requests', 'user_id', { name: 'desk', email: 'desk', subject: 'desk', message: 'desk' }],
  [
    'reports',
    'creator_id',
    {
      target: 'desk',
      details: 'desk',
      name: 'desk',
      email: 'desk',
      reason: 'desk',
      network: 'nobody',
      decided_by: 'nobody',
    },
  ],
  [
    'report_answers',
    'creator_id',
    { text: 'hers', name: 'nobody', postal_address: 'nobody', reason: 'hers', decided_by: 'nobody' },
  ],
  ['join_tokens', 'guest', { label: 'nobody', note: 'nobody' }],
  ['fan_tiers', 'creator_id', { name: 'shown', benefits: 'shown' }],
  ['fan_subscriptions', 'creator_id', { creator_name: 'shown', tier_name: 'shown' }],
  ['checkout_orders', 'creator_id', { creator_name: 'shown', message: 'hers', signed_by: 'hers' }],
  [
    'album_access_requests',
    'user_id',
    { requester_name: 'hers', requester_message: 'hers', requester_email: 'nobody', decision_text: 'shown' },
  ],
  ['custom_requests', 'creator_id', { title: 'shown', brief: 'hers', creator_name: 'shown' }],
  ['email_changes', 'user_id', { old_email: 'nobody', new_email: 'hers' }],
  ['passkeys', 'user_id', { name: 'hers' }],
  ['co_performers', 'user_id', { name: 'hers', email: 'hers', typed_name: 'nobody', agreed_words: 'nobody' }],
  ['mail_outbox', 'user_id', { subject: 'hers', body_text: 'hers', last_error: 'nobody' }],
  ['push_subscriptions', 'user_id', { endpoint: 'nobody', p256dh: 'nobody', auth: 'nobody' }],
];

/** Columns that hold a secret of their own, which is looked for as it is. */
export const secrets: readonly (readonly [table: string, owner: string, columns: Record<string, For>])[] = [
  ['auth_accounts', 'user_id', { password: 'nobody' }],
  ['auth_sessions', 'user_id', { token: 'hers' }],
  ['auth_verifications', 'identifier', { identifier: 'nobody' }],
  ['codeword_log', 'creator_id', { commitment: 'hers' }],
  ['codeword_seals', 'creator_id', { hash: 'hers', rows_hash: 'hers' }],
  ['creator_keys', 'creator_id', { wrapped: 'nobody' }],
  ['email_tokens', 'user_id', { token_hash: 'nobody', code_hash: 'nobody', browser_hash: 'nobody' }],
  ['join_tokens', 'guest', { token_hash: 'nobody' }],
  ['lead_captures', 'user_id', { utm: 'nobody' }],
  ['visit_events', 'user_id', { utm: 'nobody' }],
  ['audit_log', 'actor_id', { details: 'desk' }],
  ['link_policy_log', 'user_id', { policy: 'hers' }],
  ['magic_links', 'user_id', { slug: 'shown', password_hash: 'nobody', policy: 'hers' }],
  ['media', 'creator_id', { sha256: 'hers', original_path: 'nobody' }],
  ['media_keys', 'creator_id', { wrapped: 'nobody' }],
  ['packs', 'creator_id', { path: 'nobody', sha256: 'hers' }],
  ['segment_files', 'creator_id', { path: 'nobody', sha256: 'nobody' }],
  ['trace_keys', 'creator_id', { wrapped: 'nobody' }],
  ['export_keys', 'user_id', { wrapped: 'nobody' }],
  ['trace_log', 'creator_id', { sha256: 'hers' }],
  ['traces', 'creator_id', { sha256: 'hers' }],
  ['trial_redemptions', 'user_id', { address_hash: 'nobody' }],
  ['email_changes', 'user_id', { code_hash: 'nobody', undo_hash: 'nobody' }],
  ['passkeys', 'user_id', { credential_id: 'hers', public_key: 'nobody' }],
  ['known_browsers', 'user_id', { secret_hash: 'nobody' }],
  ['co_performers', 'user_id', { token_hash: 'nobody' }],
  ['app_locks', 'user_id', { pin_hash: 'nobody' }],
  ['second_factors', 'user_id', { wrapped: 'nobody' }],
  ['backup_codes', 'user_id', { code_hash: 'nobody' }],
  ['viewer_devices', 'viewer_id', { secret_hash: 'nobody' }],
  ['viewer_resume_codes', 'viewer_id', { code_hash: 'nobody' }],
  ['users', 'id', { avatar_name: 'shown', avatar_small: 'shown' }],
  [
    'checkout_orders',
    'creator_id',
    { session_id: 'nobody', payment_id: 'nobody', charge_id: 'nobody', acct_id: 'nobody' },
  ],
];

/** Columns without a secret: a word of a short list, a country, what the installation itself is set to, or what everybody is shown. */
export const plain: readonly RegExp[] = [
  /\.(state|state_before|kind|status|outcome|rendition|mark|purpose|template|severity|component|teaser|sort|notify|role|removed)$/,
  /\.(country|ip_country|time_zone|locale|currency|mime_sniffed|end_reason|ended_why|fail_code|location_source|decision_via|key_id|tz|app|device)$/,
  /\.(\w+_family|in_app|referrer_app|suspect_reason|revoked_reason|recipient_channel|content_rating|people_consent)$/,
  /^(app_settings|claims|fold_watermarks|schema_migrations)\./,
  /^audit_log\.(actor_type|action|target_type|request_id)$/,
  /^auth_accounts\.provider_id$/,
  /^user_roles\.scopes$/,
  // The constraint of the table keeps it empty.
  /^(auth_sessions|visit_events)\.ip_address$/,
  /^albums\.watermark_visible$/,
  // A word of a short list, a version of our own words, and a keyed hash of an address that is looked for.
  /^co_performers\.(consent_state|agreed_version|email_hash)$/,
  /^consent_stops\.email_hash$/,
  // The address that a viewer has proven for a link: `viewers.email`, which is looked for.
  /^gate_passes\.(gate|email)$/,
  // Words of short lists, and kinds of devices.
  /^album_access_requests\.(request_status|requester_device_info)$/,
  /^album_access_grants\.(source|granted_to_fingerprint)$/,
  /^lead_captures\.source$/,
  /^conversion_events\.conversion_type$/,
  // The address of the account, looked for as `users.email`.
  /^mail_outbox\.recipient$/,
  // What stands in the body of the email as text, where it is looked for.
  /^mail_outbox\.parts$/,
  // Keyed hashes of addresses that get no notices.
  /^mail_suppressions\./,
  // Ids, counts, amounts and moments; what she chose; the installation's own keys, wrapped.
  /^(notices|notice_settings|push_keys|mail_keys)\./,
  /^media\.thumbhash$/,
  /^media\.teaser$/,
  /^(rate_limits|sign_in_tries)\.key$/,
  /^(password_tries|place_reservations)\.network$/,
  // The hash of a mailed link's secret; a change that was confirmed by a code has none.
  /^email_changes\.link_hash$/,
  // The hash of a cookie's secret, and a keyed hash of six digits.
  /^password_proofs\.(secret|code)_hash$/,
  // Figures about pages, named by their paths without anybody's id; who watched the demo is nobody in particular.
  /^(performance_metrics|demo_events|worker_beats|audit_seals|audit_checks)\.|^reports\.on_behalf$/,
  // The address of whoever asks for a pass, until its code is over, and hashes: no answer reads them.
  /^pass_codes\./,
  // The same of whoever takes their data along or has them erased; whose erasure it is stands nowhere else, and ids.
  /^(data_codes|people_erasures)\./,
  // Names that we have given: of queues, procedures and routes.
  // Of rubbish: ids of rows and paths of files, which only an owner is shown.
  /^junk_plans\./,
  /^(paused_queues|call_figures|call_days)\./,
  // Steps that the check itself names, and what they found on accounts that are nobody's; a word of a short list.
  /^full_checks\./,
  // The same of whoever comes to the email gate of a link.
  /^gate_codes\./,
  // The same of whoever is to be told when a link begins, until they are: its own browser is shown it, masked.
  /^link_reminders\./,
  // The hash of a cookie's secret.
  /^gate_visitors\.browser_hash$/,
  // Keyed hashes.
  /^join_claims\.person_hash$/,
  // The same of whoever asks for something; what both sides say about one request, and what she says to all who ask.
  /^(request_codes|custom_request_events|held_releases|request_settings|tip_settings)\./,
  // Words of short lists, ids and hashes; the address is the account's, looked for as `users.email`.
  /^data_exports\.(state|failure)$/,
  /^account_deletions\.(asked_by|status_before|email|certificate)$/,
  // Hashes of what may not be shown, and words of short lists.
  /^(blocked_media|media_matches)\./,
  // What a partner shares with everybody; words of short lists, hashes of a random number and of a card's name, and the provider's own names.
  /^affiliates\.code$/,
  /^(affiliate_clicks|affiliate_runs|affiliate_payouts|affiliate_deductions|commissions|bill_cards)\./,
  /^affiliate_referrals\.(source|void_reason)$/,
  // Words of short lists.
  /^custom_requests\.(provider|time_zone|end_reason)$/,
  /^creations\.wish$/,
  // Numbers, words of short lists and ids of tiers.
  /^link_presets\.policy$|^link_acts\.act$/,
  // Words of short lists, a kind of device and the size of its screen; figures and ids of what the server saw.
  /^security_events\.(event_type|risk|source|device_info|details|action_taken|acted_before)$/,
  /^viewer_sessions\.last_report$/,
  /^traces\.(place|result)$/,
  // Whose money it is, and words of short lists.
  /^(checkout_orders|user_stripe_accounts|ledger_\w+|webhook_inbox|reconciliation_runs)\.provider$/,
  /^checkout_orders\.(terms|terms_shown|slug|invoice_id)$/,
  // The provider's names of customers and their cards, and ours of calls that are made once: no answer reads them.
  /^(provider_calls|customer_cards)\./,
  // What a fan pays every month, by the provider's own names and words of short lists.
  /^fan_subscriptions\.(source|provider|subscription_id|customer_id|card_brand|card_last4)$/,
  /^(fan|platform)_subscriptions\.(draft_invoice_id|finalization_error)$/,
  // A creator's own plan, by the provider's own names; the address is the account's, looked for as `users.email`.
  /^(plan_checkouts|platform_subscriptions)\.(provider|email|browser_hash|asking_hash|session_id|subscription_id|customer_id|card_brand|card_last4)$/,
  // Credits: counts, the provider's own names and words of short lists.
  /^credit_(orders|lots|debits)\./,
  /^(plan_invoices|plan_refunds)\.(invoice_id|number|page_url)$/,
  /^refunds\.(reason|by_kind|cause|note|last_error|given_transfer_id|given_reversal_id)$/,
  /^user_stripe_accounts\.(acct_id|full_status|missing|payout_interval|country)$/,
  // Amounts, words of short lists, the provider's own names, and what staff and a creator write to each other about a hold.
  /^(payouts|payout_holds|payout_appeals|payment_failures)\./,
  // The provider's own names, amounts and words of short lists; the evidence is read by whoever runs the installation alone.
  /^(disputes|dispute_evidence|fraud_warnings)\./,
  // What a buyer and a creator say to each other about one payment.
  /^(refund_requests|withheld_refunds)\./,
  // The provider's own names, which a creator's account is called by.
  /^(ledger_accounts\.key|ledger_transactions\.(source_key|charge_id)|ledger_\w+\.sold|reconciliation_runs\.(drift|faults))$/,
  /^webhook_inbox\.(event_id|hook|type|object_id|account_id|last_error)$/,
  // What somebody types on the sandbox's pages; no such table has a row where money is real.
  /^sandbox_\w+\./,
  // Of no creator: whoever paid is shown their own address, masked.
  /^buyers\.email$/,
  // Hashes of long random secrets.
  /^buyer_(browsers\.secret_hash|recovery_tokens\.token_hash)$/,
  /^users\.(\w+_version|setup_step|subscription_status|two_factor|risk_level)$/,
];
