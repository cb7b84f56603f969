// Written by `npm run db:schema` from the migrations, compared by `npm run db:check`.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface AccountDeletionsTable {
  id: string;
  user_id: string;
  asked_by: 'creator' | 'operator';
  status_before: string;
  asked_at: Date;
  erase_at: Date;
  state: Generated<'waiting' | 'kept' | 'erasing' | 'done'>;
  kept_at: Date | null;
  erasing_since: Date | null;
  keys_destroyed_at: Date | null;
  files_removed_at: Date | null;
  done_at: Date | null;
  email: string | null;
  certificate: ColumnType<unknown, object | string | null | undefined, object | string | null>;
}

export interface AccountNotesTable {
  id: string;
  user_id: string;
  admin_id: string | null;
  text: string;
  created_at: Date;
}

export interface AffiliateClicksTable {
  id: string;
  affiliate_id: string;
  visitor_hash: Buffer;
  landing: string;
  utm: ColumnType<unknown, object | string | null | undefined, object | string | null>;
  browser: string;
  at: Date;
}

export interface AffiliateDeductionsTable {
  id: string;
  provider: 'sandbox' | 'stripe';
  livemode: boolean;
  affiliate_id: string;
  commission_id: string | null;
  amount_cents: number;
  currency: string;
  because: 'refunded' | 'disputed' | 'referral_void' | 'overpaid';
  created_at: Date;
  taken_by: string | null;
  overpaid_by: string | null;
}

export interface AffiliatePayoutsTable {
  id: string;
  run_id: string;
  affiliate_id: string;
  amount_cents: number;
  currency: string;
  state: Generated<'open' | 'paid' | 'canceled'>;
  note: Generated<string>;
  created_at: Date;
  settled_at: Date | null;
  settled_by: string | null;
  livemode: boolean;
  made_cents: number;
  left_at: Date | null;
}

export interface AffiliateReferralsTable {
  id: string;
  affiliate_id: string;
  user_id: string | null;
  source: 'link' | 'code';
  first_touch_at: Date;
  signed_up_at: Date;
  ends_at: Date;
  void_at: Date | null;
  void_reason: 'same_person' | 'same_card' | 'spam' | 'brand_ads' | 'other' | null;
  void_note: Generated<string>;
  kept_at: Date | null;
}

export interface AffiliateRunsTable {
  id: string;
  provider: 'sandbox' | 'stripe';
  livemode: boolean;
  begun_by: string | null;
  created_at: Date;
}

export interface AffiliatesTable {
  id: string;
  email: string;
  name: string;
  audience: string;
  state: Generated<'applied' | 'approved' | 'paused' | 'rejected' | 'closed'>;
  created_at: Date;
  user_id: string | null;
  code: string | null;
  share_bps: number | null;
  note: Generated<string>;
  decided_by: string | null;
  decided_at: Date | null;
  claimed_at: Date | null;
}

export interface AgreementAcceptancesTable {
  id: string;
  agreement_id: string;
  link_id: string;
  creator_id: string;
  viewer_id: string | null;
  typed_name: string | null;
  at: Date;
}

export interface AgreementsTable {
  id: string;
  user_id: string;
  family_id: string;
  version: number;
  title: string;
  body: string;
  asks_name: boolean;
  created_at: Date;
}

export interface AlbumAccessGrantsTable {
  id: string;
  album_id: string;
  user_id: string;
  access_request_id: string | null;
  viewer_id: string;
  link_id: string | null;
  policy_version: number | null;
  source: 'approval' | 'manual';
  granted_to_fingerprint: string | null;
  granted_by: string | null;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
}

export interface AlbumAccessRequestsTable {
  id: string;
  album_id: string;
  user_id: string;
  link_id: string;
  viewer_id: string;
  request_group: string;
  request_status: Generated<'pending' | 'approved' | 'denied' | 'withdrawn' | 'expired'>;
  requester_name: string;
  requester_message: Generated<string>;
  requester_email: string | null;
  requester_device_info: ColumnType<unknown, object | string | undefined, object | string>;
  country: string | null;
  decision_text: Generated<string>;
  asks_again_at: Date | null;
  created_at: Date;
  expires_at: Date;
  reviewed_at: Date | null;
  reviewed_by: string | null;
}

export interface AlbumDaysTable {
  creator_id: string;
  day: string;
  album_id: string;
  looks: Generated<number>;
  watch_ms: Generated<number>;
}

export interface AlbumDeparturesTable {
  album_id: string;
  media_id: string;
  user_id: string;
  at: Date;
}

export interface AlbumItemsTable {
  album_id: string;
  media_id: string;
  user_id: string;
  position: number;
  caption: Generated<string>;
  sensitive: Generated<boolean>;
  hidden: Generated<boolean>;
  not_in_teaser: Generated<boolean>;
  added_at: Date;
}

export interface AlbumMonthsTable {
  creator_id: string;
  month: string;
  album_id: string;
  looks: Generated<number>;
  watch_ms: Generated<number>;
}

export interface AlbumsTable {
  id: string;
  user_id: string;
  name: string;
  description: Generated<string>;
  cover_media_id: string | null;
  state: Generated<'draft' | 'ready' | 'archived' | 'locked' | 'deleting'>;
  is_protected: Generated<boolean>;
  price_cents: number | null;
  currency: Generated<string>;
  teaser: Generated<'none' | 'blur'>;
  teaser_count: Generated<number>;
  allow_tips: Generated<boolean>;
  allow_custom_requests: Generated<boolean>;
  allow_requests: Generated<boolean>;
  watermark_text: string | null;
  watermark_visible: Generated<'off' | 'corner' | 'tiled'>;
  content_rating: 'general' | 'suggestive' | 'explicit' | null;
  people_consent: 'only_me' | 'others_with_consent' | null;
  sort: Generated<'manual' | 'newest' | 'oldest'>;
  created_at: Date;
  published_at: Date | null;
  archived_at: Date | null;
  delete_at: Date | null;
  state_before: string | null;
  taken_down_at: Date | null;
  updated_at: Generated<Date>;
  search_text: Generated<string>;
  people_said_at: Date | null;
}

export interface AppLocksTable {
  user_id: string;
  pin_hash: string;
  created_at: Date;
}

export interface AppSettingsTable {
  key: string;
  value: ColumnType<unknown, object | string, object | string>;
  updated_at: Generated<Date>;
  updated_by: string | null;
}

export interface AssistantAnswersTable {
  user_id: string;
  month: string;
  used: Generated<number>;
  extra: Generated<number>;
}

export interface AudienceDaysTable {
  creator_id: string;
  day: string;
  country: string;
  is_estimated: boolean;
  device: string;
  app: string;
  opens: Generated<number>;
  views: Generated<number>;
  watch_ms: Generated<number>;
}

export interface AudienceMonthsTable {
  creator_id: string;
  month: string;
  country: string;
  is_estimated: boolean;
  device: string;
  app: string;
  opens: Generated<number>;
  views: Generated<number>;
  watch_ms: Generated<number>;
}

export interface AuditChecksTable {
  id: string;
  began_at: Date;
  ended_at: Date | null;
  seals: Generated<number>;
  entries: Generated<number>;
  fault: string | null;
  hash: Buffer | null;
}

export interface AuditLogTable {
  id: GeneratedAlways<number>;
  at: Date;
  actor_type: 'visitor' | 'viewer' | 'creator' | 'admin' | 'system';
  actor_id: string | null;
  action: string;
  target_type: string | null;
  target_id: string | null;
  details: ColumnType<unknown, object | string | undefined, object | string>;
  request_id: string | null;
}

export interface AuditSealsTable {
  n: number;
  month: string;
  ids: string;
  entries: number;
  rows_hash: Buffer;
  hash: Buffer;
  sealed_at: Date;
}

export interface AuthAccountsTable {
  id: string;
  user_id: string;
  account_id: string;
  provider_id: string;
  access_token: string | null;
  refresh_token: string | null;
  id_token: string | null;
  access_token_expires_at: Date | null;
  refresh_token_expires_at: Date | null;
  scope: string | null;
  password: string | null;
  created_at: Date;
  updated_at: Date;
}

export interface AuthSessionsTable {
  id: string;
  user_id: string;
  token: string;
  expires_at: Date;
  ip_address: string | null;
  user_agent: string | null;
  country: string | null;
  created_at: Date;
  updated_at: Date;
  away_at: Date | null;
  wrong_pins: Generated<number>;
  code_at: Date | null;
  earlier_cookie_until: Date | null;
}

export interface AuthVerificationsTable {
  id: string;
  identifier: string;
  value: string;
  expires_at: Date;
  created_at: Date;
  updated_at: Date;
}

export interface BackupCodesTable {
  user_id: string;
  code_hash: Buffer;
  used_at: Date | null;
  created_at: Date;
}

export interface BillCardsTable {
  invoice_id: string;
  user_id: string;
  card_hash: Buffer | null;
  asked_at: Date;
}

export interface BlockedMediaTable {
  id: string;
  source: 'report' | 'list';
  report_id: string | null;
  sha256: Buffer | null;
  blockhash: string | null;
  list_id: string | null;
  created_at: Date;
}

export interface BreakGlassesTable {
  id: string;
  admin_id: string | null;
  creator_id: string;
  link_id: string | null;
  report_id: string | null;
  order_id: string | null;
  reason: string;
  untold_because: string | null;
  opened_at: Date;
  ends_at: Date;
  closed_at: Date | null;
}

export interface BuyerBrowsersTable {
  secret_hash: Buffer;
  buyer_id: string;
  is_joined: boolean;
  at: Date;
}

export interface BuyerRecoveryTokensTable {
  token_hash: Buffer;
  buyer_id: string;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
}

export interface BuyersTable {
  id: string;
  email: string;
  verified_at: Date | null;
  created_at: Date;
}

export interface CallDaysTable {
  day: string;
  name: string;
  calls: number;
  errors: number;
}

export interface CallFiguresTable {
  slot: Date;
  kind: 'procedure' | 'route' | 'job';
  name: string;
  calls: number;
  errors: number;
  buckets: number[];
}

export interface CheckoutOrdersTable {
  id: string;
  provider: 'sandbox' | 'stripe';
  livemode: boolean;
  kind: 'tip' | 'album' | 'bundle' | 'fan_sub' | 'platform_sub' | 'request' | 'credits';
  state: Generated<'pending' | 'paid' | 'partially_refunded' | 'refunded' | 'disputed' | 'charged_back' | 'expired' | 'failed' | 'canceled'>;
  creator_id: string | null;
  link_id: string | null;
  viewer_id: string | null;
  buyer_id: string | null;
  acct_id: string;
  amount_cents: number;
  fee_cents: number;
  refunded_cents: Generated<number>;
  currency: string;
  message: Generated<string>;
  is_anonymous: Generated<boolean>;
  policy_version: number | null;
  terms: ColumnType<unknown, object | string | undefined, object | string>;
  slug: string | null;
  creator_name: Generated<string>;
  session_id: string | null;
  payment_id: string | null;
  charge_id: string | null;
  expires_at: Date;
  paid_at: Date | null;
  opened_at: Date | null;
  retired_at: Date | null;
  synced_version: Generated<number>;
  created_at: Date;
  visits_before: Generated<number>;
  watched_before_ms: Generated<number>;
  lent_before_ms: Generated<number>;
  tries: Generated<number>;
  next_try_at: Date | null;
  tier_id: string | null;
  fan_subscription_id: string | null;
  invoice_id: string | null;
  on_page: Generated<boolean>;
  signed_by: Generated<string>;
  request_id: string | null;
  months: Generated<number>;
  open_for_ms: number | null;
  told_ending_at: Date | null;
  told_ended_at: Date | null;
  unreturned_cents: Generated<number>;
  terms_shown: string | null;
  ended_at: Date | null;
  ended_why: string | null;
}

export interface ClaimsTable {
  key: string;
  source: string;
  checked_at: Date;
  expires_at: Date | null;
  checked_by: string | null;
}

export interface CoPerformersTable {
  id: string;
  album_id: string | null;
  user_id: string;
  name: string;
  email: string | null;
  email_hash: string;
  consent_state: 'requested' | 'given' | 'refused' | 'withdrawn';
  token_hash: Buffer;
  requested_at: Date;
  at: Date;
  given_at: Date | null;
  typed_name: string | null;
  country: string | null;
  agreed_words: string | null;
  agreed_version: string | null;
  agreed_items: number | null;
  pictures_gone_at: Date | null;
  ended_at: Date | null;
}

export interface CodewordLogTable {
  seq: GeneratedAlways<number>;
  at: Date;
  creator_id: string;
  grant_id: string | null;
  link_id: string | null;
  commitment: Buffer;
}

export interface CodewordSealsTable {
  creator_id: string;
  n: number;
  last_seq: number;
  hash: Buffer;
  at: Date;
  seqs: Generated<number[]>;
  rows_hash: Generated<Buffer>;
}

export interface CommissionsTable {
  id: string;
  provider: 'sandbox' | 'stripe';
  livemode: boolean;
  invoice_id: string;
  referral_id: string;
  affiliate_id: string;
  amount_cents: number;
  currency: string;
  state: Generated<'pending' | 'payable' | 'paid' | 'void'>;
  created_at: Date;
  payable_at: Date;
  charge_id: string | null;
  paid_at: Date | null;
  reversed_at: Date | null;
  reversed_because: 'refunded' | 'disputed' | 'referral_void' | null;
  payout_id: string | null;
  charge_asked_at: Date | null;
  returned_cents: Generated<number>;
}

export interface ConsentStopsTable {
  user_id: string;
  email_hash: string;
  at: Date;
}

export interface ConversionEventsTable {
  id: string;
  session_id: string;
  conversion_type: 'signup' | 'signin';
  user_id: string | null;
  conversion_value: number | null;
  page_path: string;
  created_at: Date;
}

export interface CreationsTable {
  user_id: string;
  key: string;
  wish: string;
  made_id: string;
  created_at: Date;
}

export interface CreatorDaysTable {
  creator_id: string;
  day: string;
  opens: Generated<number>;
  views: Generated<number>;
  watch_ms: Generated<number>;
  new_viewers: Generated<number>;
}

export interface CreatorFoldsTable {
  creator_id: string;
  xid: string;
}

export interface CreatorHoursTable {
  creator_id: string;
  day: string;
  hour: number;
  opens: Generated<number>;
  views: Generated<number>;
  watch_ms: Generated<number>;
}

export interface CreatorKeysTable {
  creator_id: string;
  key_id: string;
  wrapped: Buffer;
}

export interface CreatorViewersTable {
  creator_id: string;
  viewer_id: string;
  last_view_at: Date;
}

export interface CreditDebitsTable {
  job_id: string;
  provider: 'sandbox' | 'stripe';
  livemode: boolean;
  user_id: string;
  what: 'trace' | 'storage' | 'address' | 'priority' | 'answers' | 'video';
  credits: number;
  lots: ColumnType<unknown, object | string, object | string>;
  created_at: Date;
  revoked_at: Date | null;
  turn: Generated<number>;
  outlives_deletion: Generated<boolean>;
}

export interface CreditLotsTable {
  id: string;
  provider: 'sandbox' | 'stripe';
  livemode: boolean;
  user_id: string;
  source: 'pack' | 'suite' | 'first_album' | 'first_link' | 'payouts' | 'grant' | 'returned' | 'referral';
  order_id: string | null;
  granted: number;
  remaining: number;
  taken_back: Generated<number>;
  turns: Generated<number>;
  expires_at: Date | null;
  created_at: Date;
}

export interface CreditOrdersTable {
  id: string;
  provider: 'sandbox' | 'stripe';
  livemode: boolean;
  user_id: string | null;
  credits: number;
  amount_cents: number;
  currency: string;
  state: Generated<'pending' | 'paid' | 'partially_refunded' | 'refunded' | 'disputed' | 'charged_back' | 'expired' | 'failed'>;
  session_id: string | null;
  payment_id: string | null;
  charge_id: string | null;
  refunded_cents: Generated<number>;
  back_credits: Generated<number>;
  back_cents: Generated<number>;
  back_state: 'pending' | 'succeeded' | 'failed' | null;
  expires_at: Date;
  paid_at: Date | null;
  is_unsettled: Generated<boolean>;
  synced_version: Generated<number>;
  created_at: Date;
  back_tries: Generated<number>;
  ended_at: Date | null;
  ended_why: string | null;
}

export interface CustomRequestEventsTable {
  id: GeneratedAlways<number>;
  request_id: string;
  who: 'buyer' | 'creator' | 'staff' | 'system';
  what: string;
  text: Generated<string>;
  amount_cents: number | null;
  at: Date;
}

export interface CustomRequestsTable {
  id: string;
  provider: string;
  livemode: boolean;
  creator_id: string | null;
  creator_name: string;
  viewer_id: string | null;
  buyer_id: string;
  link_id: string | null;
  title: string;
  brief: string;
  kind: 'photo' | 'video' | 'both';
  quantity: number;
  length_minutes: number | null;
  wanted_by: string | null;
  time_zone: string;
  currency: string;
  offered_cents: number;
  agreed_cents: number | null;
  state: 'requested' | 'quoted' | 'paid' | 'delivered' | 'revision_requested' | 'problem' | 'released' | 'declined' | 'expired' | 'refunded';
  is_counter: Generated<boolean>;
  act_until: Date | null;
  due_at: Date | null;
  paid_at: Date | null;
  delivered_at: Date | null;
  closed_at: Date | null;
  was_revised: Generated<boolean>;
  end_reason: string | null;
  order_id: string | null;
  delivery_link_id: string | null;
  delivery_album_id: string | null;
  created_at: Date;
  stopped_at: Date | null;
  reminded_at: Date | null;
  reported_at: Date | null;
  due_days: number | null;
}

export interface CustomerCardsTable {
  provider: string;
  livemode: boolean;
  customer_id: string;
  card_id: string | null;
  asked_at: Date | null;
}

export interface DataCodesTable {
  id: string;
  act: 'export' | 'erase' | 'keep';
  browser_hash: Buffer;
  email: string;
  code_hash: Buffer;
  tries: Generated<number>;
  created_at: Date;
  expires_at: Date;
}

export interface DataExportsTable {
  id: string;
  user_id: string;
  has_originals: boolean;
  state: Generated<'requested' | 'building' | 'ready' | 'expired' | 'failed'>;
  requested_at: Date;
  attempt: Generated<number>;
  done_bytes: Generated<number>;
  total_bytes: Generated<number>;
  size_bytes: number | null;
  ready_at: Date | null;
  expires_at: Date | null;
  failure: 'no_room' | 'broken' | null;
  ended_at: Date | null;
  files_removed_at: Date | null;
  opened_by: string | null;
  opened_until: Date | null;
}

export interface DeliveriesTable {
  grant_id: string;
  media_id: string;
  rendition: string;
  pack_id: string;
  creator_id: string;
  first_at: Date;
  last_at: Date;
  lent_seconds: string | null;
}

export interface DemoEventsTable {
  id: string;
  path: string;
  meta: ColumnType<unknown, object | string, object | string>;
  created_at: Date;
}

export interface DisputeEvidenceTable {
  dispute_id: string;
  facts: ColumnType<unknown, object | string, object | string>;
  fields: ColumnType<unknown, object | string, object | string>;
  was_opened: boolean;
  built_at: Date;
  objected_at: Date | null;
  objection: Generated<string>;
  wanted_at: Date | null;
  handed_in_at: Date | null;
  refused: string | null;
}

export interface DisputesTable {
  id: string;
  provider: 'sandbox' | 'stripe';
  livemode: boolean;
  dispute_id: string;
  charge_id: string;
  order_id: string | null;
  creator_id: string | null;
  viewer_id: string | null;
  status: string;
  standing: 'warning' | 'open' | 'won' | 'lost' | 'over';
  reason: string;
  amount_cents: number;
  currency: string;
  taken_cents: Generated<number>;
  fee_cents: Generated<number>;
  due_by: Date | null;
  submitted_at: Date | null;
  transfer_id: string | null;
  back_cents: number | null;
  back_fee_cents: number | null;
  reversal_id: string | null;
  retransfer_id: string | null;
  opened_at: Date;
  decided_at: Date | null;
  settled_at: Date | null;
  tries: Generated<number>;
  next_try_at: Date | null;
  synced_version: Generated<number>;
  created_at: Date;
  borne_cents: number | null;
  fee_asked_cents: number | null;
  fee_payment_id: string | null;
  fee_back_cents: number | null;
  fee_back_id: string | null;
  fee_tries: Generated<number>;
  fee_next_try_at: Date | null;
  evidence_attempts: Generated<number>;
  back_refused_at: Date | null;
  again_refused_at: Date | null;
  fee_back_refused_at: Date | null;
}

export interface EmailChangesTable {
  id: string;
  user_id: string;
  new_email: string;
  code_hash: Buffer;
  tries: Generated<number>;
  code_expires_at: Date;
  created_at: Date;
  changed_at: Date | null;
  old_email: string | null;
  undo_hash: Buffer | null;
  undo_expires_at: Date | null;
  undone_at: Date | null;
  link_hash: Buffer | null;
}

export interface EmailTokensTable {
  id: string;
  user_id: string | null;
  purpose: 'confirm' | 'password';
  token_hash: Buffer;
  code_hash: Buffer;
  browser_hash: Buffer;
  tries: Generated<number>;
  code_expires_at: Date;
  expires_at: Date;
  used_at: Date | null;
  created_at: Date;
  join_token_id: string | null;
}

export interface ErrorLogsTable {
  id: string;
  user_id: string | null;
  component: string;
  error_message: string;
  error_stack: string | null;
  url: string | null;
  user_agent: string | null;
  session_id: string | null;
  severity: Generated<'warning' | 'error' | 'critical'>;
  created_at: Generated<Date>;
  request_id: string | null;
}

export interface ExportKeysTable {
  export_id: string;
  user_id: string;
  key_id: string;
  wrapped: Buffer;
}

export interface FanSubscriptionsTable {
  id: string;
  source: 'paid' | 'pass';
  provider: 'sandbox' | 'stripe' | null;
  livemode: boolean | null;
  creator_id: string | null;
  creator_name: Generated<string>;
  viewer_id: string | null;
  buyer_id: string | null;
  tier_id: string | null;
  tier_name: Generated<string>;
  link_id: string | null;
  subscription_id: string | null;
  customer_id: string | null;
  status: string;
  is_paused: Generated<boolean>;
  amount_cents: Generated<number>;
  currency: Generated<string>;
  period_start: Date | null;
  period_end: Date | null;
  cancel_at_period_end: Generated<boolean>;
  stopped_at: Date | null;
  ended_at: Date | null;
  next_attempt_at: Date | null;
  card_brand: string | null;
  card_last4: string | null;
  paid_order_id: string | null;
  reminded_at: Date | null;
  told_cents: number | null;
  retired_at: Date | null;
  tries: Generated<number>;
  next_try_at: Date | null;
  synced_at: Date | null;
  synced_version: Generated<number>;
  created_at: Date;
  cut_cents: number | null;
  months: Generated<number>;
  draft_invoice_id: string | null;
  draft_since: Date | null;
  finalization_error: string | null;
  finalize_at: Date | null;
}

export interface FanTiersTable {
  id: string;
  creator_id: string;
  slot: number | null;
  name: string;
  price_cents: number;
  currency: Generated<string>;
  benefits: Generated<string>;
  all_future: boolean;
  album_ids: Generated<string[]>;
  stopped_at: Date | null;
  created_at: Date;
  off_3: number | null;
  off_6: number | null;
  off_12: number | null;
}

export interface FilmDaysTable {
  creator_id: string;
  day: string;
  media_id: string;
  plays: Generated<number>;
  completions: Generated<number>;
}

export interface FilmEdgesTable {
  creator_id: string;
  day: string;
  media_id: string;
  second: number;
  change: number;
}

export interface FoldWatermarksTable {
  name: string;
  xid: string;
  folded_at: Generated<Date>;
}

export interface FraudWarningsTable {
  id: string;
  provider: 'sandbox' | 'stripe';
  livemode: boolean;
  warning_id: string;
  charge_id: string;
  fraud_type: string;
  warned_at: Date;
  returned_at: Date | null;
  settled_at: Date | null;
  tries: Generated<number>;
  next_try_at: Date | null;
  created_at: Date;
}

export interface FullChecksTable {
  id: string;
  started_by: string | null;
  started_at: Date;
  seen_at: Date | null;
  cancelled_at: Date | null;
  ended_at: Date | null;
  result: 'green' | 'red' | 'cancelled' | 'died' | null;
  steps: ColumnType<unknown, object | string | undefined, object | string>;
  creator_id: string | null;
  viewer_ids: Generated<string[]>;
  cleaned_at: Date | null;
  part: 'payment' | null;
  passed_calls: Generated<string[]>;
}

export interface GateCodesTable {
  id: string;
  link_id: string;
  browser_hash: Buffer;
  email: string;
  code_hash: Buffer;
  tries: Generated<number>;
  created_at: Date;
  expires_at: Date;
}

export interface GatePassesTable {
  link_id: string;
  viewer_id: string;
  gate: 'password' | 'email' | 'agreement';
  rule_version: number;
  at: Date;
  email: string | null;
}

export interface GateVisitorsTable {
  link_id: string;
  browser_hash: Buffer;
  creator_id: string;
  day: string;
  last_at: Date;
  is_at_gate: boolean;
}

export interface GrantsTable {
  id: string;
  kind: 'link' | 'owner' | 'admin';
  creator_id: string;
  user_id: string | null;
  created_at: Date;
}

export interface HeldReleasesTable {
  request_id: string;
  order_id: string;
  amount_cents: number;
  fee_cents: number;
  state: Generated<'pending' | 'done'>;
  transfer_id: string | null;
  tries: Generated<number>;
  next_try_at: Date | null;
  last_error: string | null;
  created_at: Date;
  done_at: Date | null;
  refused_at: Date | null;
  refused_why: string | null;
  told_at: Date | null;
}

export interface ItemDaysTable {
  creator_id: string;
  day: string;
  media_id: string;
  looks: Generated<number>;
  watch_ms: Generated<number>;
}

export interface ItemMonthsTable {
  creator_id: string;
  month: string;
  media_id: string;
  looks: Generated<number>;
  watch_ms: Generated<number>;
}

export interface JoinClaimsTable {
  user_id: string | null;
  token_id: string;
  claimed_at: Date;
  ip_country: string | null;
  id: Generated<string>;
  creator_id: string | null;
  viewer_id: string | null;
  person_hash: Buffer | null;
  fan_subscription_id: string | null;
}

export interface JoinTokensTable {
  id: string;
  kind: 'creator_comp' | 'fan_pass';
  token_hash: Buffer;
  label: string;
  days: number | null;
  max_claims: number;
  claims_count: Generated<number>;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  creator_id: string | null;
  tier_id: string | null;
  created_by: string | null;
  note: Generated<string>;
}

export interface JunkPlansTable {
  kind: string;
  id: string;
  state: 'looking' | 'found' | 'cleaning' | 'cleaned' | 'cancelled' | 'failed';
  asked_by: string | null;
  asked_at: Date;
  ids: string[] | null;
  hash: Generated<string>;
  found: Generated<number>;
  size_bytes: number | null;
  more: Generated<number>;
  fewer: Generated<number>;
  done: Generated<number>;
  cleaned: Generated<number>;
  cancelled_at: Date | null;
  seen_at: Date;
}

export interface KeyLeasesTable {
  id: string;
  grant_id: string;
  session_id: string | null;
  creator_id: string;
  media_id: string;
  rendition: string;
  pack_id: string;
  issued_at: Date;
  expires_at: Date;
}

export interface KnownBrowsersTable {
  secret_hash: Buffer;
  user_id: string;
  first_at: Date;
  last_at: Date;
}

export interface LapsesTable {
  user_id: string;
  since: Date;
  told: Generated<number>;
  warned_at: Date | null;
  removed_at: Date | null;
}

export interface LeadCapturesTable {
  id: string;
  vid: string | null;
  email: string;
  source: string;
  page_path: string | null;
  utm: ColumnType<unknown, object | string | null | undefined, object | string | null>;
  referrer: string | null;
  user_agent: string | null;
  user_id: string | null;
  created_at: Date;
}

export interface LedgerAccountsTable {
  id: GeneratedAlways<number>;
  provider: string;
  livemode: boolean;
  key: string;
  kind: 'asset' | 'liability' | 'income' | 'expense' | 'clearing' | 'external';
  owner_user_id: string | null;
  currency: string;
}

export interface LedgerDaysTable {
  owner_user_id: string;
  provider: string;
  livemode: boolean;
  currency: string;
  day: string;
  kind: string;
  sold: string;
  owed_cents: number;
  held_cents: number;
}

export interface LedgerEntriesTable {
  id: GeneratedAlways<number>;
  transaction_id: number;
  account_id: number;
  provider: string;
  livemode: boolean;
  owner_user_id: string | null;
  currency: string;
  amount_cents: number;
}

export interface LedgerTransactionsTable {
  id: GeneratedAlways<number>;
  provider: string;
  livemode: boolean;
  source_key: string;
  kind: string;
  occurred_at: Date;
  available_at: Date;
  currency: string;
  charge_id: string | null;
  owner_user_id: string | null;
  sold: string | null;
  owed_cents: Generated<number>;
  held_cents: Generated<number>;
}

export interface LinkActsTable {
  id: string;
  link_id: string;
  user_id: string;
  act: 'revoked' | 'revived' | 'shared';
  at: Date;
}

export interface LinkAlbumsTable {
  link_id: string;
  album_id: string;
  user_id: string;
  position: Generated<number>;
}

export interface LinkDaysTable {
  creator_id: string;
  day: string;
  link_id: string;
  opens: Generated<number>;
  views: Generated<number>;
  watch_ms: Generated<number>;
}

export interface LinkMonthsTable {
  creator_id: string;
  month: string;
  link_id: string;
  opens: Generated<number>;
  views: Generated<number>;
  watch_ms: Generated<number>;
}

export interface LinkPolicyLogTable {
  link_id: string;
  version: number;
  user_id: string;
  policy: ColumnType<unknown, object | string, object | string>;
  expires_at: Date | null;
  by_user: string | null;
  at: Date;
  password_version: number | null;
}

export interface LinkPresetsTable {
  id: string;
  user_id: string;
  name: string;
  policy: ColumnType<unknown, object | string, object | string>;
  ends_after_hours: number | null;
  is_default: Generated<boolean>;
  created_at: Date;
}

export interface LinkRemindersTable {
  id: string;
  link_id: string;
  browser_hash: Buffer;
  email: string;
  opens_at: Date;
  look_at: Date;
  created_at: Date;
}

export interface LinkSeenTable {
  creator_id: string;
  link_id: string;
  viewer_id: string;
  last_at: Date;
  last_view_at: Date | null;
}

export interface LinkViewersTable {
  id: string;
  link_id: string;
  viewer_id: string;
  creator_id: string;
  first_admitted_at: Date;
  first_view_at: Date | null;
  last_visit_at: Date | null;
  watched_ms: Generated<number>;
  visits: Generated<number>;
  policy_version: number;
  blocked_at: Date | null;
  is_own: Generated<boolean>;
  lent_ms: Generated<number>;
}

export interface MagicLinksTable {
  id: string;
  user_id: string;
  link_name: Generated<string>;
  slug: string;
  recipient_name: string | null;
  recipient_channel: 'whatsapp' | 'instagram' | 'email' | 'sms' | 'other' | null;
  note: Generated<string>;
  welcome_text: Generated<string>;
  policy: ColumnType<unknown, object | string, object | string>;
  policy_version: Generated<number>;
  password_hash: string | null;
  password_version: Generated<number>;
  preset_id: string | null;
  is_revoked: Generated<boolean>;
  revoked_at: Date | null;
  revoked_reason: 'manual' | 'panic' | 'auto_security' | 'admin' | 'album_deleted' | 'account_deleted' | null;
  undo_until: Date | null;
  expires_at: Date | null;
  views_count: Generated<number>;
  unique_viewers: Generated<number>;
  watch_ms: Generated<number>;
  earnings_cents: Generated<number>;
  first_opened_at: Date | null;
  last_opened_at: Date | null;
  notify: Generated<'first' | 'every' | 'none'>;
  taken_down_at: Date | null;
  created_at: Date;
  updated_at: Generated<Date>;
  places_taken: Generated<number>;
  opens_told_until: Date | null;
  search_text: Generated<string>;
  expiry_told_for: Date | null;
  shared_at: Date | null;
  batch_id: string | null;
}

export interface MailKeysTable {
  id: string;
  used_for: 'suppressed' | 'unsubscribe';
  key_id: string;
  wrapped: Buffer;
  created_at: Generated<Date>;
}

export interface MailOutboxTable {
  id: string;
  user_id: string | null;
  template: string;
  recipient: string;
  subject: string;
  body_text: string;
  state: Generated<'queued' | 'sent' | 'delivered' | 'bounced' | 'complained' | 'suppressed' | 'given_up'>;
  tries: Generated<number>;
  last_error: string | null;
  created_at: Date;
  sent_at: Date | null;
  parts: ColumnType<unknown, object | string | null | undefined, object | string | null>;
  kind: Generated<'account' | 'notice'>;
  is_named_by_link: Generated<boolean>;
  life_seconds: Generated<number>;
  expires_at: Generated<Date>;
  next_try_at: Generated<Date>;
  is_seen: Generated<boolean>;
  is_urgent: Generated<boolean>;
  is_failure_ours: Generated<boolean>;
}

export interface MailSuppressionsTable {
  address_hash: Buffer;
  reason: 'bounced' | 'complained' | 'unsubscribed';
  at: Date;
}

export interface MediaTable {
  id: string;
  creator_id: string;
  kind: 'photo' | 'video';
  state: 'uploaded' | 'scanning' | 'processing' | 'ready' | 'failed' | 'quarantined' | 'deleted';
  original_name: string;
  mime_sniffed: string | null;
  bytes: number;
  sha256: Buffer;
  original_path: string | null;
  phash: string | null;
  phash_mirrored: string | null;
  width: number | null;
  height: number | null;
  duration_ms: number | null;
  has_audio: boolean | null;
  fps: number | null;
  hdr: boolean | null;
  taken_at: Date | null;
  thumbhash: Buffer | null;
  teaser: Buffer | null;
  removed: Generated<string[]>;
  fail_code: 'UNSUPPORTED' | 'CORRUPT' | 'TOO_LONG' | 'TOO_BIG' | 'NO_VIDEO_TRACK' | 'TIMEOUT' | 'UNMARKED' | 'HASH_MATCH' | 'NO_VIDEO_TIME' | null;
  attempts: Generated<number>;
  created_at: Date;
  ready_at: Date | null;
  deleted_at: Date | null;
  updated_at: Generated<Date>;
  fail_text: string | null;
  progress: number | null;
  cell_seconds: number | null;
  has_failed: Generated<boolean>;
  marked_tiles: number | null;
  timeouts: Generated<number>;
  retry_at: Date | null;
  deaths: Generated<number>;
}

export interface MediaKeysTable {
  media_id: string;
  creator_id: string;
  key_id: string;
  wrapped: Buffer;
}

export interface MediaMatchesTable {
  media_id: string;
  source: 'report' | 'list';
  report_id: string | null;
  is_exact: boolean;
  matched_at: Date;
  notified_at: Date | null;
  released_at: Date | null;
}

export interface NoticeSettingsTable {
  user_id: string;
  channels: ColumnType<unknown, object | string | undefined, object | string>;
  quiet_from: number | null;
  quiet_until: number | null;
}

export interface NoticesTable {
  id: string;
  user_id: string;
  event: string;
  about: ColumnType<unknown, object | string, object | string>;
  created_at: Date;
  due_at: Date;
  told_at: Date | null;
  told_by: 'push' | 'mail' | 'off' | null;
}

export interface PacksTable {
  id: string;
  creator_id: string;
  media_id: string;
  rendition: 'p2048' | 'thumb512' | 'poster' | 'posterthumb' | 'storyboard' | 'v720' | 'v480' | 'audio';
  mark: 'AB' | '-';
  path: string;
  bytes: number;
  sha256: Buffer;
  width: number | null;
  height: number | null;
  columns: number | null;
  rows: number | null;
  segments: number | null;
  created_at: Date;
  durations_us: number[] | null;
}

export interface PassCodesTable {
  id: string;
  token_id: string;
  browser_hash: Buffer;
  email: string;
  code_hash: Buffer;
  tries: Generated<number>;
  created_at: Date;
  expires_at: Date;
}

export interface PasskeysTable {
  id: string;
  user_id: string;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
  last_challenge_at: Date;
}

export interface PasswordProofsTable {
  link_id: string;
  secret_hash: Buffer;
  code_hash: string;
  code_tries: number;
  sent_at: Date;
  proven_at: Date | null;
  tries_left: number;
}

export interface PasswordTriesTable {
  link_id: string;
  network: string;
  password_version: number;
  wrong: number;
  free_at: Date;
}

export interface PausedQueuesTable {
  queue: string;
  paused_by: string | null;
  paused_at: Generated<Date>;
}

export interface PaymentFailuresTable {
  provider: string;
  livemode: boolean;
  charge_id: string;
  order_id: string;
  link_id: string | null;
  viewer_id: string | null;
  card: string | null;
  at: Date;
}

export interface PayoutAppealsTable {
  id: string;
  user_id: string;
  provider: string;
  livemode: boolean;
  text: string;
  created_at: Date;
  answer: string | null;
  is_granted: boolean | null;
  answered_at: Date | null;
}

export interface PayoutHoldsTable {
  id: string;
  user_id: string;
  provider: string;
  livemode: boolean;
  code: 'ID_MISSING' | 'BANK_REJECTED' | 'REVIEW_NEW' | 'DISPUTE_RATE' | 'REPORT_OPEN' | 'SANCTIONS';
  note: Generated<string>;
  by_kind: 'system' | 'staff';
  since: Date;
  expected_at: Date | null;
  ended_at: Date | null;
  ended_by: 'system' | 'staff' | null;
}

export interface PayoutsTable {
  id: string;
  user_id: string | null;
  provider: string;
  livemode: boolean;
  acct_id: string;
  amount_cents: number;
  currency: string;
  state: Generated<'created' | 'in_transit' | 'paid' | 'failed' | 'canceled'>;
  day: string | null;
  payout_id: string | null;
  failure: string | null;
  tries: Generated<number>;
  next_try_at: Date | null;
  created_at: Date;
  arrives_at: Date | null;
  settled_at: Date | null;
}

export interface PeopleErasuresTable {
  id: string;
  email: string | null;
  viewer_id: string | null;
  asked_by: 'viewer' | 'operator';
  asked_at: Date;
  erase_at: Date;
  state: Generated<'waiting' | 'kept' | 'erasing' | 'done'>;
  kept_at: Date | null;
  erasing_since: Date | null;
  done_at: Date | null;
  subjects: ColumnType<unknown, object | string | null | undefined, object | string | null>;
  certificate: ColumnType<unknown, object | string | null | undefined, object | string | null>;
}

export interface PerformanceMetricsTable {
  id: string;
  user_id: string;
  metric: 'LCP' | 'FCP' | 'CLS' | 'INP' | 'TTFB';
  value: number;
  rating: 'good' | 'needs-improvement' | 'poor';
  metric_id: string;
  navigation_type: string;
  url: string;
  measured_at: Date;
  created_at: Date;
}

export interface PlaceReservationsTable {
  order_id: string;
  link_id: string;
  viewer_id: string;
  network: string | null;
}

export interface PlanCheckoutsTable {
  id: string;
  provider: 'sandbox' | 'stripe';
  livemode: boolean;
  user_id: string | null;
  email: string;
  state: Generated<'open' | 'complete' | 'expired' | 'failed'>;
  trial_days: number | null;
  amount_cents: number;
  currency: string;
  session_id: string | null;
  subscription_id: string | null;
  browser_hash: Buffer | null;
  mailed_at: Date | null;
  expires_at: Date;
  created_at: Date;
  asking_hash: Buffer | null;
  ended_at: Date | null;
  ended_why: string | null;
}

export interface PlanInvoicesTable {
  invoice_id: string;
  plan_id: string;
  number: string | null;
  status: string;
  amount_cents: number;
  paid_cents: number;
  refunded_cents: Generated<number>;
  currency: string;
  created_at: Date;
  paid_at: Date | null;
  next_attempt_at: Date | null;
  page_url: string | null;
  receipt_at: Date | null;
  refund_told_at: Date | null;
}

export interface PlanPausesTable {
  plan_id: string;
  starts_at: Date;
  ends_at: Date;
  resumed_at: Date | null;
}

export interface PlanRefundsTable {
  user_id: string;
  plan_id: string;
  invoice_id: string;
  amount_cents: number;
  currency: string;
  settled_at: Date | null;
  created_at: Date;
}

export interface PlatformSubscriptionsTable {
  id: string;
  provider: 'sandbox' | 'stripe';
  livemode: boolean;
  user_id: string | null;
  checkout_id: string | null;
  subscription_id: string;
  customer_id: string;
  status: string;
  is_paused: Generated<boolean>;
  amount_cents: number;
  currency: string;
  trial_end: Date | null;
  period_start: Date | null;
  period_end: Date | null;
  cancel_at_period_end: Generated<boolean>;
  ended_at: Date | null;
  first_paid_at: Date | null;
  money_back_at: Date | null;
  card_brand: string | null;
  card_last4: string | null;
  reminded_of: Date | null;
  synced_at: Date;
  synced_version: Generated<number>;
  created_at: Date;
  paused_from: Date | null;
  paused_until: Date | null;
  resume_told_of: Date | null;
  anchored_at: Date | null;
  draft_invoice_id: string | null;
  draft_since: Date | null;
  finalization_error: string | null;
  finalize_at: Date | null;
}

export interface ProviderCallsTable {
  provider: string;
  livemode: boolean;
  name: string;
  refusals: Generated<number>;
  asked_at: Date | null;
}

export interface PushKeysTable {
  id: string;
  public_key: Buffer;
  key_id: string;
  wrapped: Buffer;
  created_at: Date;
}

export interface PushSubscriptionsTable {
  id: string;
  user_id: string;
  session_id: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  created_at: Date;
}

export interface RateLimitsTable {
  key: string;
  window_start: Date;
  count: number;
}

export interface ReceiptsTable {
  order_id: string;
  number: Generated<number>;
  at: Date;
}

export interface ReconciliationRunsTable {
  id: string;
  provider: string;
  livemode: boolean;
  started_at: Date;
  finished_at: Date | null;
  checked: Generated<number>;
  drift: ColumnType<unknown, object | string | undefined, object | string>;
  faults: ColumnType<unknown, object | string | undefined, object | string>;
}

export interface RefundRequestsTable {
  id: string;
  order_id: string;
  creator_id: string | null;
  kind: 'refund' | 'complaint';
  reason: 'duplicate' | 'fraudulent' | 'not_delivered' | 'satisfaction' | 'customer_request';
  text: Generated<string>;
  state: 'creator' | 'operator' | 'refunded' | 'declined';
  answer: Generated<string>;
  answered_by: 'creator' | 'staff' | 'system' | null;
  created_at: Date;
  answer_until: Date | null;
  answered_at: Date | null;
}

export interface RefundsTable {
  id: string;
  order_id: string;
  creator_id: string | null;
  amount_cents: number;
  reason: 'duplicate' | 'fraudulent' | 'customer_request' | 'access_revoked' | 'not_delivered' | 'satisfaction' | 'dispute_prevention' | 'platform_decision';
  note: Generated<string>;
  by_kind: 'creator' | 'staff' | 'system';
  by_user: string | null;
  state: Generated<'pending' | 'succeeded' | 'failed'>;
  last_error: string | null;
  settled_at: Date | null;
  created_at: Date;
  tries: Generated<number>;
  next_try_at: Date | null;
  until_cents: number | null;
  given_transfer_id: string | null;
  given_cents: number | null;
  given_reversal_id: string | null;
  cause: 'link_ended' | 'viewer_ended' | 'album_deleted' | 'creator_left' | 'suspended' | 'late_payment' | 'paid_after_end' | null;
  is_told: Generated<boolean>;
  given_refused_at: Date | null;
}

export interface ReportAnswersTable {
  id: string;
  report_id: string;
  creator_id: string;
  kind: 'answer' | 'appeal' | 'counter_notice';
  text: string;
  name: string | null;
  postal_address: string | null;
  created_at: Date;
  decide_by: Date | null;
  decided_at: Date | null;
  outcome: 'kept' | 'restored' | null;
  reason: string | null;
  decided_by: string | null;
}

export interface ReportTargetsTable {
  report_id: string;
  link_id: string | null;
  album_id: string | null;
}

export interface ReportsTable {
  id: string;
  number: number;
  kind: 'intimate' | 'minor' | 'copyright' | 'impersonation' | 'other';
  state: 'received' | 'hidden' | 'removed' | 'rejected' | 'appealed';
  target: string;
  link_id: string | null;
  creator_id: string | null;
  details: string;
  on_behalf: 'self' | 'other';
  name: string;
  email: string;
  network: string;
  created_at: Date;
  decide_by: Date;
  decided_at: Date | null;
  reason: string | null;
  acknowledged_at: Date | null;
  decided_by: string | null;
  reminded_at: Date | null;
  overdue_at: Date | null;
  hidden_at_once: Generated<boolean>;
}

export interface RequestCodesTable {
  id: string;
  creator_id: string;
  browser_hash: Buffer;
  email: string;
  code_hash: Buffer;
  tries: Generated<number>;
  created_at: Date;
  expires_at: Date;
}

export interface RequestSettingsTable {
  user_id: string;
  is_on: Generated<boolean>;
  least_cents: Generated<number>;
  price_list: ColumnType<unknown, object | string | undefined, object | string>;
  days: Generated<number>;
  wont_do: Generated<string>;
  most_open: Generated<number>;
}

export interface RobotOpensTable {
  link_id: string;
  day: string;
  creator_id: string;
  opens: number;
  last_at: Date;
}

export interface SandboxAttemptsTable {
  id: GeneratedAlways<number>;
  event_id: string;
  at: Date;
  status: number;
  error: string | null;
}

export interface SandboxEventsTable {
  id: string;
  seq: GeneratedAlways<number>;
  hook: string;
  body: ColumnType<unknown, object | string, object | string>;
  attempts: Generated<number>;
  created_at: Date;
  next_at: Date;
  delivered_at: Date | null;
  last_status: number | null;
}

export interface SandboxIdempotencyTable {
  key: string;
  request: string;
  status: number;
  body: ColumnType<unknown, object | string, object | string>;
  answered_at: Generated<number>;
}

export interface SandboxKeysTable {
  the_one: Generated<boolean>;
  secret_key: string;
  secrets: ColumnType<unknown, object | string, object | string>;
}

export interface SandboxObjectsTable {
  id: string;
  account: string;
  type: string;
  seq: GeneratedAlways<number>;
  body: ColumnType<unknown, object | string, object | string>;
  hidden: ColumnType<unknown, object | string | undefined, object | string>;
}

export interface SandboxSettingsTable {
  the_one: Generated<boolean>;
  duplicates: Generated<boolean>;
  reorders: Generated<boolean>;
  delays: Generated<boolean>;
  drops: Generated<boolean>;
  answers_500: Generated<boolean>;
  clock_offset_ms: Generated<number>;
}

export interface SandboxUseTable {
  is_only: Generated<boolean>;
  since: Date;
}

export interface SchemaMigrationsTable {
  name: string;
  sha256: string;
  applied_at: Generated<Date>;
}

export interface SecondFactorsTable {
  user_id: string;
  key_id: string;
  wrapped: Buffer;
  last_step: Generated<number>;
  created_at: Date;
}

export interface SecurityEventsTable {
  id: string;
  creator_id: string;
  magic_link_id: string;
  session_id: string | null;
  viewer_id: string | null;
  event_type: string;
  risk: 'high' | 'medium' | 'low';
  source: 'client' | 'server';
  count: Generated<number>;
  timestamp: Date;
  last_at: Date;
  device_info: ColumnType<unknown, object | string | undefined, object | string>;
  details: ColumnType<unknown, object | string | undefined, object | string>;
  is_rest: Generated<boolean>;
  handled_at: Date | null;
  action_taken: 'warned' | 'closed' | 'revoked' | 'blocked' | 'ignored' | null;
  is_automatic: Generated<boolean>;
  undone_at: Date | null;
  acted_before: ColumnType<unknown, object | string | undefined, object | string>;
}

export interface SegmentFilesTable {
  pack_id: string;
  slot: number;
  creator_id: string;
  path: string;
  bytes: number;
  sha256: Buffer;
  lengths: number[];
}

export interface SignInTriesTable {
  key: string;
  wrong: number;
  last_at: Date;
}

export interface StorageExtrasTable {
  id: string;
  user_id: string;
  bytes: number;
  created_at: Date;
  ends_at: Date;
}

export interface SupportAnswersTable {
  id: string;
  request_id: string;
  admin_id: string | null;
  text: string;
  created_at: Date;
}

export interface SupportRepliesTable {
  id: string;
  request_id: string;
  text: string;
  created_at: Date;
}

export interface SupportRequestsTable {
  id: string;
  number: number;
  name: string;
  email: string;
  subject: string;
  message: string;
  user_id: string | null;
  status: Generated<'pending' | 'open' | 'answered' | 'closed'>;
  created_at: Date;
  acknowledged_at: Date | null;
}

export interface TipSettingsTable {
  user_id: string;
  presets_cents: number[];
  thanks: string;
}

export interface TraceKeysTable {
  trace_id: string;
  creator_id: string;
  key_id: string;
  wrapped: Buffer;
}

export interface TraceLogTable {
  seq: GeneratedAlways<number>;
  at: Date;
  creator_id: string;
  trace_id: string;
  kind: 'uploaded' | 'read' | 'disclosed';
  sha256: Buffer;
  outcome: 'traced' | 'probable' | 'inconclusive' | 'no_match' | null;
  media_ids: Generated<string[]>;
  compared: number | null;
  issued: number | null;
  hypotheses: number | null;
  named_ids: Generated<string[]>;
  disclosed_ids: Generated<string[]>;
}

export interface TracesTable {
  id: string;
  creator_id: string;
  is_everywhere: boolean;
  album_id: string | null;
  with_id: string | null;
  state: 'queued' | 'matching' | 'reading' | 'done' | 'failed';
  outcome: 'traced' | 'probable' | 'inconclusive' | 'no_match' | null;
  fail_code: 'UNSUPPORTED' | 'CORRUPT' | 'TOO_BIG' | 'TIMEOUT' | 'NO_ENGINE' | null;
  attempts: Generated<number>;
  done: Generated<number>;
  total: Generated<number>;
  place: ColumnType<unknown, object | string | null | undefined, object | string | null>;
  place_at: Date | null;
  bytes: number;
  sha256: Buffer;
  has_preview: Generated<boolean>;
  result: ColumnType<unknown, object | string | null | undefined, object | string | null>;
  created_at: Date;
  finished_at: Date | null;
  expires_at: Date;
  updated_at: Generated<Date>;
  timeouts: Generated<number>;
  retry_at: Date | null;
}

export interface TrialRedemptionsTable {
  address_hash: Buffer;
  user_id: string | null;
  at: Date;
}

export interface UploadsTable {
  id: string;
  creator_id: string;
  album_id: string | null;
  media_id: string | null;
  original_name: string;
  bytes: number;
  state: Generated<'open' | 'complete' | 'aborted' | 'expired'>;
  fail_code: string | null;
  expires_at: Date;
  created_at: Date;
  number: Generated<number>;
}

export interface UserDevicesTable {
  user_id: string;
  device: string;
  country: string;
  first_seen_at: Date;
  last_seen_at: Date;
}

export interface UserEntitlementsTable {
  user_id: string;
  suite_user: Generated<boolean>;
  is_beta: Generated<boolean>;
}

export interface UserRolesTable {
  user_id: string;
  role: 'admin';
  scopes: Generated<string[]>;
}

export interface UserStripeAccountsTable {
  user_id: string;
  provider: 'sandbox' | 'stripe';
  livemode: boolean;
  acct_id: string;
  status: Generated<'pending' | 'complete'>;
  full_status: Generated<'pending' | 'complete' | 'restricted' | 'closed'>;
  missing: ColumnType<unknown, object | string | undefined, object | string>;
  connected_at: Date | null;
  synced_at: Date | null;
  synced_version: Generated<number>;
  created_at: Date;
  tries: Generated<number>;
  next_try_at: Date | null;
  payout_interval: Generated<'daily' | 'weekly' | 'monthly' | 'manual'>;
  schedule_stopped_at: Date | null;
  settlement_days: Generated<number>;
  country: string;
}

export interface UsersTable {
  id: string;
  email: string;
  email_verified: Generated<boolean>;
  email_verified_at: Date | null;
  display_name: Generated<string>;
  image: string | null;
  handle: string | null;
  bio: string | null;
  birth_date: string | null;
  country: string | null;
  time_zone: Generated<string>;
  locale: Generated<string>;
  marketing_consent_at: Date | null;
  tos_version: string | null;
  tos_at: Date | null;
  content_policy_version: string | null;
  content_policy_at: Date | null;
  age_confirmed_at: Date | null;
  erase_at: Date | null;
  status: Generated<'pending' | 'active' | 'limited' | 'suspended' | 'deleting' | 'deleted'>;
  setup_step: Generated<'password' | 'profile' | 'consent' | 'first_step' | 'done'>;
  is_free_user: Generated<boolean>;
  free_until: Date | null;
  subscription_status: string | null;
  trial_ends_at: Date | null;
  two_factor: Generated<'none' | 'totp' | 'passkey'>;
  home_screen_wizard_completed: Generated<boolean>;
  storage_used_bytes: Generated<number>;
  risk_level: Generated<string>;
  last_login_at: Date | null;
  created_at: Date;
  updated_at: Generated<Date>;
  avatar_name: string | null;
  avatar_small: Buffer | null;
  has_public_page: Generated<boolean>;
  storage_told: Generated<number>;
  trial_told: Generated<number>;
  home_screen_wizard_skips: Generated<number>;
  home_screen_wizard_skipped_at: Date | null;
  plan_paused_until: Date | null;
  plan_is_paused: Generated<boolean>;
}

export interface VideoTimeTable {
  user_id: string;
  month: string;
  used_seconds: Generated<number>;
  extra_seconds: Generated<number>;
}

export interface VideoTimeTakenTable {
  media_id: string;
  user_id: string;
  month: string;
  free_seconds: number;
  extra_seconds: number;
}

export interface ViewEventsTable {
  xid: Generated<string>;
  kind: 'open' | 'view' | 'look';
  creator_id: string;
  link_id: string;
  visit_id: string;
  viewer_id: string;
  album_id: string | null;
  media_id: string | null;
  country: string | null;
  at: Date;
  ms_visible: Generated<number>;
  first_of_viewer: boolean | null;
  played: string | null;
  film_seconds: number | null;
  epoch: GeneratedAlways<number>;
}

export interface ViewerAliasesTable {
  creator_id: string;
  viewer_id: string;
  alias: string;
}

export interface ViewerBlocksTable {
  creator_id: string;
  viewer_id: string;
  reason: Generated<string>;
  at: Date;
}

export interface ViewerDevicesTable {
  id: string;
  viewer_id: string;
  secret_hash: Buffer;
  ua_family: string | null;
  os_family: string | null;
  in_app: 'instagram' | 'facebook' | 'tiktok' | 'snapchat' | 'whatsapp' | 'messenger' | 'telegram' | null;
  country: string | null;
  tz: string | null;
  screen: string | null;
  evidence_fp: string | null;
  first_seen_at: Date;
  last_seen_at: Date;
}

export interface ViewerPseudonymsTable {
  creator_id: string;
  viewer_id: string;
  id: Generated<string>;
}

export interface ViewerResumeCodesTable {
  id: string;
  link_id: string;
  viewer_id: string;
  code_hash: Buffer;
  expires_at: Date;
  created_at: Date;
}

export interface ViewerSessionsTable {
  id: string;
  admission_id: string;
  link_id: string;
  creator_id: string;
  viewer_id: string;
  device_id: string;
  link_policy_version: number;
  state: 'open' | 'closed' | 'cut';
  decision_via: string;
  started_at: Date;
  last_beat_at: Date;
  last_input_at: Date;
  ended_at: Date | null;
  end_reason: 'left' | 'idle' | 'expired' | 'revoked' | 'security' | 'replaced' | 'time_used' | null;
  watch_ms: Generated<number>;
  summed_ms: Generated<number>;
  items_seen: Generated<number>;
  current_media_id: string | null;
  look_ms: Generated<number>;
  country: string | null;
  region: string | null;
  city: string | null;
  location_source: 'ip' | 'edge' | 'timezone' | 'unknown';
  referrer_app: string | null;
  ua_family: string | null;
  os_family: string | null;
  suspect_reason: 'own' | 'automation' | 'admin' | null;
  counted: Generated<boolean>;
  counted_at: Date | null;
  look_played: Generated<string>;
  last_report: string | null;
}

export interface ViewersTable {
  id: string;
  display_name: string | null;
  email: string | null;
  email_verified_at: Date | null;
  age_confirmed_at: Date | null;
  merged_into: string | null;
  blocked_globally_at: Date | null;
  created_at: Date;
  last_seen_at: Date;
}

export interface VisitEventsTable {
  id: string;
  vid: string;
  path: string;
  referrer: string | null;
  utm: ColumnType<unknown, object | string | null | undefined, object | string | null>;
  ip_address: string | null;
  user_agent: string;
  user_id: string | null;
  created_at: Date;
}

export interface WebhookInboxTable {
  event_id: string;
  hook: string;
  type: string;
  object_id: string;
  account_id: string | null;
  provider: string;
  livemode: boolean;
  event_created_at: Date;
  received_at: Date;
  attempts: Generated<number>;
  next_attempt_at: Date;
  processed_at: Date | null;
  last_error: string | null;
}

export interface WithheldRefundsTable {
  order_id: string;
  creator_id: string | null;
  link_id: string | null;
  trace_id: string | null;
  reason: string;
  at: Date;
}

export interface WorkerBeatsTable {
  worker_id: string;
  began_at: Date;
  beat_at: Date;
}

export interface WrongCodesTable {
  link_id: string;
  day: string;
  creator_id: string;
  tries: number;
  last_at: Date;
}

export interface WrongPasswordsTable {
  link_id: string;
  password_version: number;
  day: string;
  creator_id: string;
  tries: number;
  last_at: Date;
}

/** Every table by its name. */
export interface Tables {
  account_deletions: AccountDeletionsTable;
  account_notes: AccountNotesTable;
  affiliate_clicks: AffiliateClicksTable;
  affiliate_deductions: AffiliateDeductionsTable;
  affiliate_payouts: AffiliatePayoutsTable;
  affiliate_referrals: AffiliateReferralsTable;
  affiliate_runs: AffiliateRunsTable;
  affiliates: AffiliatesTable;
  agreement_acceptances: AgreementAcceptancesTable;
  agreements: AgreementsTable;
  album_access_grants: AlbumAccessGrantsTable;
  album_access_requests: AlbumAccessRequestsTable;
  album_days: AlbumDaysTable;
  album_departures: AlbumDeparturesTable;
  album_items: AlbumItemsTable;
  album_months: AlbumMonthsTable;
  albums: AlbumsTable;
  app_locks: AppLocksTable;
  app_settings: AppSettingsTable;
  assistant_answers: AssistantAnswersTable;
  audience_days: AudienceDaysTable;
  audience_months: AudienceMonthsTable;
  audit_checks: AuditChecksTable;
  audit_log: AuditLogTable;
  audit_seals: AuditSealsTable;
  auth_accounts: AuthAccountsTable;
  auth_sessions: AuthSessionsTable;
  auth_verifications: AuthVerificationsTable;
  backup_codes: BackupCodesTable;
  bill_cards: BillCardsTable;
  blocked_media: BlockedMediaTable;
  break_glasses: BreakGlassesTable;
  buyer_browsers: BuyerBrowsersTable;
  buyer_recovery_tokens: BuyerRecoveryTokensTable;
  buyers: BuyersTable;
  call_days: CallDaysTable;
  call_figures: CallFiguresTable;
  checkout_orders: CheckoutOrdersTable;
  claims: ClaimsTable;
  co_performers: CoPerformersTable;
  codeword_log: CodewordLogTable;
  codeword_seals: CodewordSealsTable;
  commissions: CommissionsTable;
  consent_stops: ConsentStopsTable;
  conversion_events: ConversionEventsTable;
  creations: CreationsTable;
  creator_days: CreatorDaysTable;
  creator_folds: CreatorFoldsTable;
  creator_hours: CreatorHoursTable;
  creator_keys: CreatorKeysTable;
  creator_viewers: CreatorViewersTable;
  credit_debits: CreditDebitsTable;
  credit_lots: CreditLotsTable;
  credit_orders: CreditOrdersTable;
  custom_request_events: CustomRequestEventsTable;
  custom_requests: CustomRequestsTable;
  customer_cards: CustomerCardsTable;
  data_codes: DataCodesTable;
  data_exports: DataExportsTable;
  deliveries: DeliveriesTable;
  demo_events: DemoEventsTable;
  dispute_evidence: DisputeEvidenceTable;
  disputes: DisputesTable;
  email_changes: EmailChangesTable;
  email_tokens: EmailTokensTable;
  error_logs: ErrorLogsTable;
  export_keys: ExportKeysTable;
  fan_subscriptions: FanSubscriptionsTable;
  fan_tiers: FanTiersTable;
  film_days: FilmDaysTable;
  film_edges: FilmEdgesTable;
  fold_watermarks: FoldWatermarksTable;
  fraud_warnings: FraudWarningsTable;
  full_checks: FullChecksTable;
  gate_codes: GateCodesTable;
  gate_passes: GatePassesTable;
  gate_visitors: GateVisitorsTable;
  grants: GrantsTable;
  held_releases: HeldReleasesTable;
  item_days: ItemDaysTable;
  item_months: ItemMonthsTable;
  join_claims: JoinClaimsTable;
  join_tokens: JoinTokensTable;
  junk_plans: JunkPlansTable;
  key_leases: KeyLeasesTable;
  known_browsers: KnownBrowsersTable;
  lapses: LapsesTable;
  lead_captures: LeadCapturesTable;
  ledger_accounts: LedgerAccountsTable;
  ledger_days: LedgerDaysTable;
  ledger_entries: LedgerEntriesTable;
  ledger_transactions: LedgerTransactionsTable;
  link_acts: LinkActsTable;
  link_albums: LinkAlbumsTable;
  link_days: LinkDaysTable;
  link_months: LinkMonthsTable;
  link_policy_log: LinkPolicyLogTable;
  link_presets: LinkPresetsTable;
  link_reminders: LinkRemindersTable;
  link_seen: LinkSeenTable;
  link_viewers: LinkViewersTable;
  magic_links: MagicLinksTable;
  mail_keys: MailKeysTable;
  mail_outbox: MailOutboxTable;
  mail_suppressions: MailSuppressionsTable;
  media: MediaTable;
  media_keys: MediaKeysTable;
  media_matches: MediaMatchesTable;
  notice_settings: NoticeSettingsTable;
  notices: NoticesTable;
  packs: PacksTable;
  pass_codes: PassCodesTable;
  passkeys: PasskeysTable;
  password_proofs: PasswordProofsTable;
  password_tries: PasswordTriesTable;
  paused_queues: PausedQueuesTable;
  payment_failures: PaymentFailuresTable;
  payout_appeals: PayoutAppealsTable;
  payout_holds: PayoutHoldsTable;
  payouts: PayoutsTable;
  people_erasures: PeopleErasuresTable;
  performance_metrics: PerformanceMetricsTable;
  place_reservations: PlaceReservationsTable;
  plan_checkouts: PlanCheckoutsTable;
  plan_invoices: PlanInvoicesTable;
  plan_pauses: PlanPausesTable;
  plan_refunds: PlanRefundsTable;
  platform_subscriptions: PlatformSubscriptionsTable;
  provider_calls: ProviderCallsTable;
  push_keys: PushKeysTable;
  push_subscriptions: PushSubscriptionsTable;
  rate_limits: RateLimitsTable;
  receipts: ReceiptsTable;
  reconciliation_runs: ReconciliationRunsTable;
  refund_requests: RefundRequestsTable;
  refunds: RefundsTable;
  report_answers: ReportAnswersTable;
  report_targets: ReportTargetsTable;
  reports: ReportsTable;
  request_codes: RequestCodesTable;
  request_settings: RequestSettingsTable;
  robot_opens: RobotOpensTable;
  sandbox_attempts: SandboxAttemptsTable;
  sandbox_events: SandboxEventsTable;
  sandbox_idempotency: SandboxIdempotencyTable;
  sandbox_keys: SandboxKeysTable;
  sandbox_objects: SandboxObjectsTable;
  sandbox_settings: SandboxSettingsTable;
  sandbox_use: SandboxUseTable;
  schema_migrations: SchemaMigrationsTable;
  second_factors: SecondFactorsTable;
  security_events: SecurityEventsTable;
  segment_files: SegmentFilesTable;
  sign_in_tries: SignInTriesTable;
  storage_extras: StorageExtrasTable;
  support_answers: SupportAnswersTable;
  support_replies: SupportRepliesTable;
  support_requests: SupportRequestsTable;
  tip_settings: TipSettingsTable;
  trace_keys: TraceKeysTable;
  trace_log: TraceLogTable;
  traces: TracesTable;
  trial_redemptions: TrialRedemptionsTable;
  uploads: UploadsTable;
  user_devices: UserDevicesTable;
  user_entitlements: UserEntitlementsTable;
  user_roles: UserRolesTable;
  user_stripe_accounts: UserStripeAccountsTable;
  users: UsersTable;
  video_time: VideoTimeTable;
  video_time_taken: VideoTimeTakenTable;
  view_events: ViewEventsTable;
  viewer_aliases: ViewerAliasesTable;
  viewer_blocks: ViewerBlocksTable;
  viewer_devices: ViewerDevicesTable;
  viewer_pseudonyms: ViewerPseudonymsTable;
  viewer_resume_codes: ViewerResumeCodesTable;
  viewer_sessions: ViewerSessionsTable;
  viewers: ViewersTable;
  visit_events: VisitEventsTable;
  webhook_inbox: WebhookInboxTable;
  withheld_refunds: WithheldRefundsTable;
  worker_beats: WorkerBeatsTable;
  wrong_codes: WrongCodesTable;
  wrong_passwords: WrongPasswordsTable;
}
