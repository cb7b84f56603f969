-- The whole database as the migrations leave it. Written by `npm run db:schema`, compared by `npm run db:check`; never run.

create schema pgboss authorization app_system;

create collation natural_order (provider = icu, locale = 'und-u-kn-true');

create function add_to_ledger_day() returns trigger language plpgsql as $$
begin
  insert into ledger_days as d values (new.owner_user_id, new.provider, new.livemode, new.currency, (new.occurred_at at time zone 'UTC')::date,
    new.kind, coalesce(new.sold, ''), new.owed_cents, new.held_cents)
  on conflict (owner_user_id, provider, livemode, currency, day, kind, sold)
  do update set owed_cents = d.owed_cents + excluded.owed_cents, held_cents = d.held_cents + excluded.held_cents;
  return null;
end $$;

create function app_uid() returns uuid language sql stable parallel safe as $$ select nullif(current_setting('app.uid', true), '')::uuid $$;

create function append_only(target regclass) returns void language plpgsql as $$
begin
  execute format('revoke update, delete, truncate on %s from app_system', target);
  execute format('create trigger append_only before update or delete on %s for each row execute function refuse_change()', target);
  execute format('create trigger append_only_whole before truncate on %s for each statement execute function refuse_change()', target);
end $$;

create function audit_entry_text(entry audit_log) returns text language sql stable as $$
  select jsonb_build_array(
    entry.id, to_char(entry.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US'), entry.actor_type, entry.actor_id, entry.action,
    entry.target_type, entry.target_id, entry.details, entry.request_id
  )::text
$$;

create function check_ledger_balance() returns trigger language plpgsql as $$
declare
  entries record;
begin
  select coalesce(sum(e.amount_cents), 0) as cents, count(*) as n,
    coalesce(-sum(e.amount_cents) filter (where e.owner_user_id is not null and a.key like 'liability:creator:%'), 0) as owed,
    coalesce(sum(e.amount_cents) filter (where e.owner_user_id is not null and a.key like 'custody:%'), 0) as held,
    count(*) filter (where e.owner_user_id is distinct from t.owner_user_id and e.owner_user_id is not null) as foreigners,
    t.owed_cents, t.held_cents into entries
  from ledger_entries e join ledger_accounts a on a.id = e.account_id join ledger_transactions t on t.id = e.transaction_id
  where e.transaction_id = new.transaction_id group by t.id;
  if entries.cents <> 0 or entries.n < 2 then
    raise exception 'ledger transaction % does not add up to zero', new.transaction_id using errcode = '23514';
  end if;
  if entries.owed <> entries.owed_cents or entries.held <> entries.held_cents or entries.foreigners > 0 then
    raise exception 'ledger transaction % says something else than its entries', new.transaction_id using errcode = '23514';
  end if;
  return null;
end $$;

create function consent_gap(album uuid, said text) returns text language sql stable as $$
  select case said when 'only_me' then null when 'others_with_consent' then read_consent_gap(album) else 'unsaid' end
$$;

create function known_zone(zone text) returns text language plpgsql stable as $$
begin
  perform now() at time zone zone;
  return zone;
exception when invalid_parameter_value then
  return 'UTC';
end $$;

create function natural_key(words text) returns text language sql immutable parallel safe strict as $$
  select regexp_replace(regexp_replace(words, '([0-9]+)', '00000000000000000000\1', 'g'), '[0-9]*([0-9]{20})(?![0-9])', '\1', 'g')
$$;

create function read_consent_gap(album uuid) returns text language plpgsql stable as $$
begin
  return (select case
      when bool_or(p.consent_state = 'withdrawn') then 'withdrawn'
      when count(*) = 0 or bool_or(p.consent_state <> 'given') then 'missing' end
    from co_performers p where p.album_id = album and p.ended_at is null);
end $$;

create function refuse_change() returns trigger language plpgsql as $$ begin raise exception 'table % is append-only', tg_table_name using errcode = '23001'; end $$;

create function refuse_change_but_erasure() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' and new.text = '' and (to_jsonb(new) - 'text') = (to_jsonb(old) - 'text') then
    return new;
  end if;
  raise exception 'table % is append-only', tg_table_name using errcode = '23001';
end $$;

create function refuse_change_but_forgetting() returns trigger language plpgsql as $$ begin
  if tg_op = 'DELETE' and old.at < (date_trunc('month', now() at time zone 'utc') - interval '24 months') at time zone 'utc' then
    return old;
  end if;
  raise exception 'table % is append-only', tg_table_name using errcode = '23001';
end $$;

create function touch_updated_at() returns trigger language plpgsql as $$ begin new.updated_at := clock_timestamp(); return new; end $$;

create function wall(target regclass, owner name default null, also text default 'true', rights text default 'select, insert, update, delete') returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy system on %s for all to app_system using (current_user = ''app_system'') with check (current_user = ''app_system'')', target);
  execute format('grant select, insert, update, delete on %s to app_system', target);
  if owner is not null then
    execute format('create policy own on %s for all to app_user using (%I = (select app_uid())) with check (%I = (select app_uid()) and %s)', target, owner, owner, also);
    execute format('grant %s on %s to app_user', rights, target);
  end if;
end $$;

create table account_deletions (
  id uuid not null,
  user_id uuid not null,
  asked_by text not null,
  status_before text not null,
  asked_at timestamptz not null,
  erase_at timestamptz not null,
  state text not null default 'waiting',
  kept_at timestamptz,
  erasing_since timestamptz,
  keys_destroyed_at timestamptz,
  files_removed_at timestamptz,
  done_at timestamptz,
  email text,
  certificate jsonb,
  constraint account_deletions_pkey primary key (id),
  constraint account_deletions_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint account_deletions_asked_by_check check (asked_by in ('creator', 'operator')),
  constraint account_deletions_email_check check (length(email) <= 254),
  constraint account_deletions_state_check check (state in ('waiting', 'kept', 'erasing', 'done'))
);
create index account_deletions_due on account_deletions (erase_at) where (state in ('waiting', 'erasing'));
create index account_deletions_of on account_deletions (user_id);
create unique index account_deletions_open on account_deletions (user_id) where (state in ('waiting', 'erasing'));
-- row-level security: enabled, forced
create policy system on account_deletions for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on account_deletions to app_system;

create table account_notes (
  id uuid not null,
  user_id uuid not null,
  admin_id uuid,
  text text not null,
  created_at timestamptz not null,
  constraint account_notes_pkey primary key (id),
  constraint account_notes_admin_id_fkey foreign key (admin_id) references users(id) on delete set null,
  constraint account_notes_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint account_notes_text_check check ((length(text) >= 1) and (length(text) <= 2000))
);
create index account_notes_admin on account_notes (admin_id);
create index account_notes_created on account_notes (created_at);
create index account_notes_user on account_notes (user_id, created_at desc, id desc);
-- row-level security: enabled, forced
create policy system on account_notes for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on account_notes to app_system;

create table affiliate_clicks (
  id uuid not null,
  affiliate_id uuid not null,
  visitor_hash bytea not null,
  landing text not null,
  utm jsonb,
  browser text not null,
  at timestamptz not null,
  constraint affiliate_clicks_pkey primary key (id),
  constraint affiliate_clicks_affiliate_id_visitor_hash_key unique (affiliate_id, visitor_hash),
  constraint affiliate_clicks_affiliate_id_fkey foreign key (affiliate_id) references affiliates(id) on delete cascade,
  constraint affiliate_clicks_browser_check check (length(browser) <= 40),
  constraint affiliate_clicks_landing_check check (length(landing) <= 200),
  constraint affiliate_clicks_visitor_hash_check check (length(visitor_hash) = 32)
);
create index affiliate_clicks_affiliate on affiliate_clicks (affiliate_id, at);
create index affiliate_clicks_at on affiliate_clicks (at);
-- row-level security: enabled, forced
create policy system on affiliate_clicks for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on affiliate_clicks to app_system;

create table affiliate_deductions (
  id uuid not null,
  provider text not null,
  livemode boolean not null,
  affiliate_id uuid not null,
  commission_id uuid,
  amount_cents bigint not null,
  currency text not null,
  because text not null,
  created_at timestamptz not null,
  taken_by uuid,
  overpaid_by uuid,
  constraint affiliate_deductions_pkey primary key (id),
  constraint affiliate_deductions_affiliate_id_fkey foreign key (affiliate_id) references affiliates(id),
  constraint affiliate_deductions_commission_id_fkey foreign key (commission_id) references commissions(id),
  constraint affiliate_deductions_overpaid_by_fkey foreign key (overpaid_by) references affiliate_payouts(id),
  constraint affiliate_deductions_taken_by_fkey foreign key (taken_by) references affiliate_payouts(id),
  constraint affiliate_deductions_amount_cents_check check (amount_cents > 0),
  constraint affiliate_deductions_because_check check (because in ('refunded', 'disputed', 'referral_void', 'overpaid')),
  constraint affiliate_deductions_currency_check check (currency ~ '^[a-z]{3}$'),
  constraint affiliate_deductions_provider_check check (provider in ('sandbox', 'stripe')),
  constraint overpaid_is_of_a_payout check (((because = 'overpaid') = (overpaid_by is not null)) and ((because = 'overpaid') = (commission_id is null)))
);
create index affiliate_deductions_affiliate on affiliate_deductions (affiliate_id, created_at desc);
create index affiliate_deductions_commission on affiliate_deductions (commission_id);
create index affiliate_deductions_overpaid on affiliate_deductions (overpaid_by);
create index affiliate_deductions_taken on affiliate_deductions (taken_by);
-- row-level security: enabled, forced
create policy system on affiliate_deductions for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on affiliate_deductions to app_system;

create table affiliate_payouts (
  id uuid not null,
  run_id uuid not null,
  affiliate_id uuid not null,
  amount_cents bigint not null,
  currency text not null,
  state text not null default 'open',
  note text not null default '',
  created_at timestamptz not null,
  settled_at timestamptz,
  settled_by uuid,
  livemode boolean not null,
  made_cents bigint not null,
  left_at timestamptz,
  constraint affiliate_payouts_pkey primary key (id),
  constraint affiliate_payouts_affiliate_id_fkey foreign key (affiliate_id) references affiliates(id),
  constraint affiliate_payouts_run_id_fkey foreign key (run_id) references affiliate_runs(id),
  constraint affiliate_payouts_settled_by_fkey foreign key (settled_by) references users(id) on delete set null,
  constraint affiliate_payouts_check check ((state = 'open') = (settled_at is null)),
  constraint affiliate_payouts_currency_check check (currency ~ '^[a-z]{3}$'),
  constraint affiliate_payouts_note_check check (length(note) <= 500),
  constraint affiliate_payouts_state_check check (state in ('open', 'paid', 'canceled')),
  constraint left_is_settled check ((left_at is null) or (state <> 'open')),
  constraint made_is_the_most check ((made_cents > 0) and ((amount_cents >= 0) and (amount_cents <= made_cents)))
);
create index affiliate_payouts_affiliate on affiliate_payouts (affiliate_id, created_at desc);
create unique index affiliate_payouts_open on affiliate_payouts (affiliate_id, currency, livemode) where (state = 'open');
create index affiliate_payouts_run on affiliate_payouts (run_id);
create index affiliate_payouts_settled_by on affiliate_payouts (settled_by);
-- row-level security: enabled, forced
create policy system on affiliate_payouts for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on affiliate_payouts to app_system;

create table affiliate_referrals (
  id uuid not null,
  affiliate_id uuid not null,
  user_id uuid,
  source text not null,
  first_touch_at timestamptz not null,
  signed_up_at timestamptz not null,
  ends_at timestamptz not null,
  void_at timestamptz,
  void_reason text,
  void_note text not null default '',
  kept_at timestamptz,
  constraint affiliate_referrals_pkey primary key (id),
  constraint affiliate_referrals_user_id_key unique (user_id),
  constraint affiliate_referrals_affiliate_id_fkey foreign key (affiliate_id) references affiliates(id),
  constraint affiliate_referrals_user_id_fkey foreign key (user_id) references users(id) on delete set null,
  constraint affiliate_referrals_check check ((void_at is null) = (void_reason is null)),
  constraint affiliate_referrals_source_check check (source in ('link', 'code')),
  constraint affiliate_referrals_void_note_check check (length(void_note) <= 500),
  constraint affiliate_referrals_void_reason_check check (void_reason in ('same_person', 'same_card', 'spam', 'brand_ads', 'other'))
);
create index affiliate_referrals_affiliate on affiliate_referrals (affiliate_id, signed_up_at desc);
-- row-level security: enabled, forced
create policy system on affiliate_referrals for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on affiliate_referrals to app_system;

create table affiliate_runs (
  id uuid not null,
  provider text not null,
  livemode boolean not null,
  begun_by uuid,
  created_at timestamptz not null,
  constraint affiliate_runs_pkey primary key (id),
  constraint affiliate_runs_begun_by_fkey foreign key (begun_by) references users(id) on delete set null,
  constraint affiliate_runs_provider_check check (provider in ('sandbox', 'stripe'))
);
create index affiliate_runs_begun_by on affiliate_runs (begun_by);
create index affiliate_runs_created on affiliate_runs (created_at desc);
-- row-level security: enabled, forced
create policy system on affiliate_runs for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on affiliate_runs to app_system;

create table affiliates (
  id uuid not null,
  email text not null,
  name text not null,
  audience text not null,
  state text not null default 'applied',
  created_at timestamptz not null,
  user_id uuid,
  code text,
  share_bps integer,
  note text not null default '',
  decided_by uuid,
  decided_at timestamptz,
  claimed_at timestamptz,
  constraint affiliates_pkey primary key (id),
  constraint affiliates_code_key unique (code),
  constraint affiliates_user_id_key unique (user_id),
  constraint affiliates_decided_by_fkey foreign key (decided_by) references users(id) on delete set null,
  constraint affiliates_user_id_fkey foreign key (user_id) references users(id) on delete set null,
  constraint affiliates_audience_check check ((length(audience) >= 10) and (length(audience) <= 1000)),
  constraint affiliates_code_check check (code ~ '^[A-Z0-9]{6,12}$'),
  constraint affiliates_email_check check (length(email) <= 254),
  constraint affiliates_name_check check ((length(name) >= 1) and (length(name) <= 80)),
  constraint affiliates_note_check check (length(note) <= 500),
  constraint affiliates_share_bps_check check ((share_bps >= 0) and (share_bps <= 5000)),
  constraint affiliates_state_check check (state in ('applied', 'approved', 'paused', 'rejected', 'closed')),
  constraint partner_has_terms check ((state in ('applied', 'rejected', 'closed')) or ((code is not null) and (share_bps is not null)))
);
create index affiliates_created on affiliates (created_at);
create index affiliates_decided_by on affiliates (decided_by);
create index affiliates_email on affiliates (email);
-- row-level security: enabled, forced
create policy own on affiliates for select to app_user using (user_id = (select app_uid()));
create policy system on affiliates for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on affiliates to app_system;
grant select on affiliates to app_user;

create table agreement_acceptances (
  id uuid not null,
  agreement_id uuid not null,
  link_id uuid not null,
  creator_id uuid not null,
  viewer_id uuid,
  typed_name text,
  at timestamptz not null,
  constraint agreement_acceptances_pkey primary key (id),
  constraint agreement_acceptances_link_id_viewer_id_agreement_id_key unique (link_id, viewer_id, agreement_id),
  constraint agreement_acceptances_agreement_id_fkey foreign key (agreement_id) references agreements(id) on delete cascade,
  constraint agreement_acceptances_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint agreement_acceptances_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade,
  constraint agreement_acceptances_viewer_id_fkey foreign key (viewer_id) references viewers(id) on delete set null,
  constraint agreement_acceptances_typed_name_check check ((length(typed_name) >= 1) and (length(typed_name) <= 100))
);
create index agreement_acceptances_agreement on agreement_acceptances (agreement_id);
create index agreement_acceptances_creator on agreement_acceptances (creator_id);
create index agreement_acceptances_link on agreement_acceptances (link_id, at desc);
create index agreement_acceptances_viewer on agreement_acceptances (viewer_id);
-- row-level security: enabled, forced
create policy own on agreement_acceptances for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on agreement_acceptances for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on agreement_acceptances to app_system;
grant delete, insert, select, update on agreement_acceptances to app_user;

create table agreements (
  id uuid not null,
  user_id uuid not null,
  family_id uuid not null,
  version integer not null,
  title text not null,
  body text not null,
  asks_name boolean not null,
  created_at timestamptz not null,
  constraint agreements_pkey primary key (id),
  constraint agreements_family_id_version_key unique (family_id, version),
  constraint agreements_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint agreements_body_check check ((length(body) >= 1) and (length(body) <= 5000)),
  constraint agreements_title_check check ((length(title) >= 1) and (length(title) <= 80)),
  constraint agreements_version_check check (version >= 1)
);
create index agreements_user on agreements (user_id, created_at desc);
-- row-level security: enabled, forced
create policy own on agreements for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on agreements for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on agreements to app_system;
grant delete, insert, select, update on agreements to app_user;

create table album_access_grants (
  id uuid not null,
  album_id uuid not null,
  user_id uuid not null,
  access_request_id uuid,
  viewer_id uuid not null,
  link_id uuid,
  policy_version integer,
  source text not null,
  granted_to_fingerprint text,
  granted_by uuid,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  constraint album_access_grants_pkey primary key (id),
  constraint album_access_grants_access_request_id_key unique (access_request_id),
  constraint album_access_grants_access_request_id_fkey foreign key (access_request_id) references album_access_requests(id) on delete set null,
  constraint album_access_grants_album_id_fkey foreign key (album_id) references albums(id) on delete cascade,
  constraint album_access_grants_granted_by_fkey foreign key (granted_by) references users(id) on delete set null,
  constraint album_access_grants_link_id_fkey foreign key (link_id) references magic_links(id) on delete set null,
  constraint album_access_grants_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint album_access_grants_viewer_id_fkey foreign key (viewer_id) references viewers(id) on delete cascade,
  constraint album_access_grants_granted_to_fingerprint_check check (length(granted_to_fingerprint) <= 100),
  constraint album_access_grants_source_check check (source in ('approval', 'manual'))
);
create index album_access_grants_album on album_access_grants (album_id);
create index album_access_grants_giver on album_access_grants (granted_by);
create index album_access_grants_link on album_access_grants (link_id);
create index album_access_grants_owner on album_access_grants (user_id, created_at desc, id desc);
create index album_access_grants_viewer on album_access_grants (viewer_id, album_id) where (revoked_at is null);
-- row-level security: enabled, forced
create policy own on album_access_grants for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and (exists (select 1 from albums a where (a.id = album_access_grants.album_id))));
create policy system on album_access_grants for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on album_access_grants to app_system;
grant insert, select, update on album_access_grants to app_user;

create table album_access_requests (
  id uuid not null,
  album_id uuid not null,
  user_id uuid not null,
  link_id uuid not null,
  viewer_id uuid not null,
  request_group uuid not null,
  request_status text not null default 'pending',
  requester_name text not null,
  requester_message text not null default '',
  requester_email text,
  requester_device_info jsonb not null default '{}',
  country text,
  decision_text text not null default '',
  asks_again_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  reviewed_at timestamptz,
  reviewed_by uuid,
  constraint album_access_requests_pkey primary key (id),
  constraint album_access_requests_album_id_fkey foreign key (album_id) references albums(id) on delete cascade,
  constraint album_access_requests_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade,
  constraint album_access_requests_pseudonym foreign key (user_id, viewer_id) references viewer_pseudonyms(creator_id, viewer_id) on delete cascade,
  constraint album_access_requests_reviewed_by_fkey foreign key (reviewed_by) references users(id) on delete set null,
  constraint album_access_requests_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint album_access_requests_viewer_id_fkey foreign key (viewer_id) references viewers(id) on delete cascade,
  constraint album_access_requests_check check ((request_status in ('approved', 'denied')) = (reviewed_at is not null)),
  constraint album_access_requests_decision_text_check check (length(decision_text) <= 300),
  constraint album_access_requests_request_status_check check (request_status in ('pending', 'approved', 'denied', 'withdrawn', 'expired')),
  constraint album_access_requests_requester_email_check check (length(requester_email) <= 254),
  constraint album_access_requests_requester_message_check check (length(requester_message) <= 500),
  constraint album_access_requests_requester_name_check check ((length(requester_name) >= 1) and (length(requester_name) <= 60))
);
create index album_access_requests_album on album_access_requests (album_id);
create index album_access_requests_group on album_access_requests (request_group);
create index album_access_requests_link on album_access_requests (link_id);
create index album_access_requests_owner on album_access_requests (user_id, created_at desc, id desc);
create unique index album_access_requests_pending on album_access_requests (viewer_id, album_id) where (request_status = 'pending');
create index album_access_requests_reviewer on album_access_requests (reviewed_by) where (reviewed_by is not null);
create index album_access_requests_viewer on album_access_requests (viewer_id, album_id, created_at desc);
create index album_access_requests_waiting on album_access_requests (expires_at) where (request_status = 'pending');
-- row-level security: enabled, forced
create policy own on album_access_requests for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on album_access_requests for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on album_access_requests to app_system;
grant select, update on album_access_requests to app_user;

create table album_days (
  creator_id uuid not null,
  day date not null,
  album_id uuid not null,
  looks integer not null default 0,
  watch_ms bigint not null default 0,
  constraint album_days_pkey primary key (creator_id, day, album_id),
  constraint album_days_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade
);
-- row-level security: enabled, forced
create policy own on album_days for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on album_days for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on album_days to app_system;
grant select on album_days to app_user;

create table album_departures (
  album_id uuid not null,
  media_id uuid not null,
  user_id uuid not null,
  at timestamptz not null,
  constraint album_departures_album_id_fkey foreign key (album_id) references albums(id) on delete cascade,
  constraint album_departures_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index album_departures_album on album_departures (album_id, at);
create index album_departures_at on album_departures (at);
create index album_departures_user on album_departures (user_id);
-- row-level security: enabled, forced
create policy own on album_departures for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and (exists (select 1 from albums a where (a.id = album_departures.album_id))));
create policy system on album_departures for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on album_departures to app_system;
grant insert, select on album_departures to app_user;

create table album_items (
  album_id uuid not null,
  media_id uuid not null,
  user_id uuid not null,
  position integer not null,
  caption text not null default '',
  sensitive boolean not null default false,
  hidden boolean not null default false,
  not_in_teaser boolean not null default false,
  added_at timestamptz not null,
  constraint album_items_pkey primary key (album_id, media_id),
  constraint album_items_album_id_fkey foreign key (album_id) references albums(id) on delete cascade,
  constraint album_items_media_id_fkey foreign key (media_id) references media(id) on delete cascade,
  constraint album_items_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint album_items_caption_check check (length(caption) <= 140)
);
create index album_items_media on album_items (media_id);
create index album_items_order on album_items (album_id, "position", media_id);
create index album_items_user on album_items (user_id);
-- row-level security: enabled, forced
create policy own on album_items for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and (exists (select 1 from albums a where (a.id = album_items.album_id))) and (exists (select 1 from media m where (m.id = album_items.media_id))));
create policy system on album_items for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on album_items to app_system;
grant delete, insert, select, update on album_items to app_user;

create table album_months (
  creator_id uuid not null,
  month date not null,
  album_id uuid not null,
  looks integer not null default 0,
  watch_ms bigint not null default 0,
  constraint album_months_pkey primary key (creator_id, month, album_id),
  constraint album_months_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade
);
-- row-level security: enabled, forced
create policy own on album_months for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on album_months for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on album_months to app_system;
grant select on album_months to app_user;

create table albums (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  description text not null default '',
  cover_media_id uuid,
  state text not null default 'draft',
  is_protected boolean not null default false,
  price_cents integer,
  currency text not null default 'usd',
  teaser text not null default 'blur',
  teaser_count integer not null default 0,
  allow_tips boolean not null default true,
  allow_custom_requests boolean not null default true,
  allow_requests boolean not null default true,
  watermark_text text,
  watermark_visible text not null default 'tiled',
  content_rating text,
  people_consent text,
  sort text not null default 'manual',
  created_at timestamptz not null,
  published_at timestamptz,
  archived_at timestamptz,
  delete_at timestamptz,
  state_before text,
  taken_down_at timestamptz,
  updated_at timestamptz not null default now(),
  search_text text not null default '',
  people_said_at timestamptz,
  constraint albums_pkey primary key (id),
  constraint albums_cover_media_id_fkey foreign key (cover_media_id) references media(id) on delete set null,
  constraint albums_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint albums_content_rating_check check (content_rating in ('general', 'suggestive', 'explicit')),
  constraint albums_description_check check (length(description) <= 1000),
  constraint albums_name_check check ((length(name) >= 1) and (length(name) <= 80)),
  constraint albums_people_consent_check check (people_consent in ('only_me', 'others_with_consent')),
  constraint albums_price_cents_check check ((price_cents >= 500) and (price_cents <= 50000)),
  constraint albums_sort_check check (sort in ('manual', 'newest', 'oldest')),
  constraint albums_state_check check (state in ('draft', 'ready', 'archived', 'locked', 'deleting')),
  constraint albums_teaser_check check (teaser in ('none', 'blur')),
  constraint albums_teaser_count_check check ((teaser_count >= 0) and (teaser_count <= 12)),
  constraint albums_watermark_text_check check (length(watermark_text) <= 60),
  constraint albums_watermark_visible_check check (watermark_visible in ('off', 'corner', 'tiled'))
);
create index albums_cover on albums (cover_media_id);
create index albums_deleting on albums (delete_at) where (delete_at is not null);
create index albums_user on albums (user_id, created_at desc, id desc);
create trigger touch before update on albums for each row execute function touch_updated_at();
-- row-level security: enabled, forced
create policy own on albums for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on albums for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on albums to app_system;
grant delete, insert, select on albums to app_user;
grant update (name, description, cover_media_id, state, is_protected, price_cents, teaser, teaser_count, allow_tips, allow_custom_requests, allow_requests, watermark_text, watermark_visible, content_rating, people_consent, sort, published_at, archived_at, delete_at, state_before, search_text, people_said_at) on albums to app_user;

create table app_locks (
  user_id uuid not null,
  pin_hash text not null,
  created_at timestamptz not null,
  constraint app_locks_pkey primary key (user_id),
  constraint app_locks_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
-- row-level security: enabled, forced
create policy system on app_locks for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on app_locks to app_system;

create table app_settings (
  key text not null,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  updated_by uuid,
  constraint app_settings_pkey primary key (key)
);
-- row-level security: enabled, forced
create policy system on app_settings for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on app_settings to app_system;

create table assistant_answers (
  user_id uuid not null,
  month date not null,
  used integer not null default 0,
  extra integer not null default 0,
  constraint assistant_answers_pkey primary key (user_id),
  constraint assistant_answers_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint assistant_answers_extra_check check (extra >= 0),
  constraint assistant_answers_used_check check (used >= 0)
);
-- row-level security: enabled, forced
create policy own on assistant_answers for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on assistant_answers for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on assistant_answers to app_system;
grant select on assistant_answers to app_user;

create table audience_days (
  creator_id uuid not null,
  day date not null,
  country text not null,
  is_estimated boolean not null,
  device text not null,
  app text not null,
  opens integer not null default 0,
  views integer not null default 0,
  watch_ms bigint not null default 0,
  constraint audience_days_pkey primary key (creator_id, day, country, is_estimated, device, app),
  constraint audience_days_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade
);
-- row-level security: enabled, forced
create policy own on audience_days for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on audience_days for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on audience_days to app_system;
grant select on audience_days to app_user;

create table audience_months (
  creator_id uuid not null,
  month date not null,
  country text not null,
  is_estimated boolean not null,
  device text not null,
  app text not null,
  opens integer not null default 0,
  views integer not null default 0,
  watch_ms bigint not null default 0,
  constraint audience_months_pkey primary key (creator_id, month, country, is_estimated, device, app),
  constraint audience_months_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade
);
-- row-level security: enabled, forced
create policy own on audience_months for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on audience_months for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on audience_months to app_system;
grant select on audience_months to app_user;

create table audit_checks (
  id uuid not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  seals bigint not null default 0,
  entries bigint not null default 0,
  fault text,
  hash bytea,
  constraint audit_checks_pkey primary key (id),
  constraint audit_checks_fault_check check (length(fault) <= 500)
);
create index audit_checks_began on audit_checks (began_at desc);
-- row-level security: enabled, forced
create policy system on audit_checks for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on audit_checks to app_system;

create table audit_log (
  id bigint not null generated always as identity,
  at timestamptz not null,
  actor_type text not null,
  actor_id uuid,
  action text not null,
  target_type text,
  target_id uuid,
  details jsonb not null default '{}',
  request_id text,
  constraint audit_log_pkey primary key (id),
  constraint audit_log_actor_type_check check (actor_type in ('visitor', 'viewer', 'creator', 'admin', 'system'))
);
create index audit_log_actor on audit_log (actor_id, at desc) where (actor_id is not null);
create index audit_log_at on audit_log (at desc);
create index audit_log_request on audit_log (request_id);
create index audit_log_target on audit_log (target_type, target_id, at desc);
create index audit_log_target_id on audit_log (target_id, id desc);
create trigger append_only before delete or update on audit_log for each row execute function refuse_change_but_forgetting();
create trigger append_only_whole before truncate on audit_log for each statement execute function refuse_change();
-- row-level security: enabled, forced
create policy system on audit_log for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select on audit_log to app_system;

create table audit_seals (
  n bigint not null,
  month date not null,
  ids int8multirange not null,
  entries integer not null,
  rows_hash bytea not null,
  hash bytea not null,
  sealed_at timestamptz not null,
  constraint audit_seals_pkey primary key (n)
);
create index audit_seals_last on audit_seals (upper(ids));
create trigger append_only before delete or update on audit_seals for each row execute function refuse_change();
create trigger append_only_whole before truncate on audit_seals for each statement execute function refuse_change();
-- row-level security: enabled, forced
create policy system on audit_seals for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant insert, select on audit_seals to app_system;

create table auth_accounts (
  id uuid not null,
  user_id uuid not null,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint auth_accounts_pkey primary key (id),
  constraint auth_accounts_provider_id_account_id_key unique (provider_id, account_id),
  constraint auth_accounts_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index auth_accounts_user on auth_accounts (user_id);
-- row-level security: enabled, forced
create policy system on auth_accounts for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on auth_accounts to app_system;

create table auth_sessions (
  id uuid not null,
  user_id uuid not null,
  token text not null,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  country text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  away_at timestamptz,
  wrong_pins integer not null default 0,
  code_at timestamptz,
  earlier_cookie_until timestamptz,
  constraint auth_sessions_pkey primary key (id),
  constraint auth_sessions_token_key unique (token),
  constraint auth_sessions_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint auth_sessions_ip_address_check check (ip_address is null)
);
create index auth_sessions_expiry on auth_sessions (expires_at);
create index auth_sessions_user on auth_sessions (user_id, updated_at desc);
-- row-level security: enabled, forced
create policy own on auth_sessions for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on auth_sessions for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on auth_sessions to app_system;
grant delete, select on auth_sessions to app_user;

create table auth_verifications (
  id uuid not null,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint auth_verifications_pkey primary key (id)
);
create index auth_verifications_identifier on auth_verifications (identifier);
-- row-level security: enabled, forced
create policy system on auth_verifications for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on auth_verifications to app_system;

create table backup_codes (
  user_id uuid not null,
  code_hash bytea not null,
  used_at timestamptz,
  created_at timestamptz not null,
  constraint backup_codes_pkey primary key (user_id, code_hash),
  constraint backup_codes_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
-- row-level security: enabled, forced
create policy system on backup_codes for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on backup_codes to app_system;

create table bill_cards (
  invoice_id text not null,
  user_id uuid not null,
  card_hash bytea,
  asked_at timestamptz not null,
  constraint bill_cards_pkey primary key (invoice_id),
  constraint bill_cards_invoice_id_fkey foreign key (invoice_id) references plan_invoices(invoice_id) on delete cascade,
  constraint bill_cards_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint bill_cards_card_hash_check check (length(card_hash) = 32)
);
create index bill_cards_asked on bill_cards (asked_at);
create index bill_cards_user on bill_cards (user_id, card_hash);
-- row-level security: enabled, forced
create policy system on bill_cards for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on bill_cards to app_system;

create table blocked_media (
  id uuid not null,
  source text not null,
  report_id uuid,
  sha256 bytea,
  blockhash text,
  list_id uuid,
  created_at timestamptz not null,
  constraint blocked_media_pkey primary key (id),
  constraint blocked_media_report_id_fkey foreign key (report_id) references reports(id) on delete set null,
  constraint blocked_media_blockhash_check check (blockhash ~ '^[0-9a-f]{64}$'),
  constraint blocked_media_check check ((sha256 is not null) or (blockhash is not null)),
  constraint blocked_media_check1 check ((source = 'report') or (report_id is null)),
  constraint blocked_media_check2 check ((source = 'list') = (list_id is not null)),
  constraint blocked_media_sha256_check check (length(sha256) = 32),
  constraint blocked_media_source_check check (source in ('report', 'list'))
);
create unique index blocked_media_listed on blocked_media (sha256, blockhash) nulls not distinct where (source = 'list');
create index blocked_media_report on blocked_media (report_id) where (report_id is not null);
create index blocked_media_sha256 on blocked_media (sha256);
-- row-level security: enabled, forced
create policy system on blocked_media for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on blocked_media to app_system;

create table break_glasses (
  id uuid not null,
  admin_id uuid,
  creator_id uuid not null,
  link_id uuid,
  report_id uuid,
  order_id uuid,
  reason text not null,
  untold_because text,
  opened_at timestamptz not null,
  ends_at timestamptz not null,
  closed_at timestamptz,
  constraint break_glasses_pkey primary key (id),
  constraint break_glasses_admin_id_fkey foreign key (admin_id) references users(id) on delete set null,
  constraint break_glasses_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint break_glasses_link_id_fkey foreign key (link_id) references magic_links(id) on delete set null,
  constraint break_glasses_order_id_fkey foreign key (order_id) references checkout_orders(id) on delete set null,
  constraint break_glasses_report_id_fkey foreign key (report_id) references reports(id) on delete set null,
  constraint break_glasses_check check (ends_at > opened_at),
  constraint break_glasses_reason_check check ((length(reason) >= 1) and (length(reason) <= 500)),
  constraint break_glasses_untold_because_check check ((length(untold_because) >= 1) and (length(untold_because) <= 500))
);
create index break_glasses_admin on break_glasses (admin_id, ends_at);
create index break_glasses_creator on break_glasses (creator_id);
create index break_glasses_link on break_glasses (link_id);
create index break_glasses_opened on break_glasses (opened_at);
create index break_glasses_order on break_glasses (order_id, opened_at);
create index break_glasses_report on break_glasses (report_id, opened_at);
-- row-level security: enabled, forced
create policy system on break_glasses for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on break_glasses to app_system;

create table buyer_browsers (
  secret_hash bytea not null,
  buyer_id uuid not null,
  is_joined boolean not null,
  at timestamptz not null,
  constraint buyer_browsers_pkey primary key (secret_hash),
  constraint buyer_browsers_buyer_id_fkey foreign key (buyer_id) references buyers(id) on delete cascade,
  constraint buyer_browsers_secret_hash_check check (length(secret_hash) = 32)
);
create index buyer_browsers_at on buyer_browsers (at);
create index buyer_browsers_buyer on buyer_browsers (buyer_id);
-- row-level security: enabled, forced
create policy system on buyer_browsers for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on buyer_browsers to app_system;

create table buyer_recovery_tokens (
  token_hash bytea not null,
  buyer_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint buyer_recovery_tokens_pkey primary key (token_hash),
  constraint buyer_recovery_tokens_buyer_id_fkey foreign key (buyer_id) references buyers(id) on delete cascade,
  constraint buyer_recovery_tokens_token_hash_check check (length(token_hash) = 32)
);
create index buyer_recovery_tokens_buyer on buyer_recovery_tokens (buyer_id);
create index buyer_recovery_tokens_expires on buyer_recovery_tokens (expires_at);
-- row-level security: enabled, forced
create policy system on buyer_recovery_tokens for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on buyer_recovery_tokens to app_system;

create table buyers (
  id uuid not null,
  email text not null,
  verified_at timestamptz,
  created_at timestamptz not null,
  constraint buyers_pkey primary key (id),
  constraint buyers_email_key unique (email),
  constraint buyers_email_check check (length(email) <= 254)
);
-- row-level security: enabled, forced
create policy system on buyers for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on buyers to app_system;

create table call_days (
  day date not null,
  name text not null,
  calls integer not null,
  errors integer not null,
  constraint call_days_pkey primary key (day, name),
  constraint call_days_name_check check ((length(name) >= 1) and (length(name) <= 200))
);
-- row-level security: enabled, forced
create policy system on call_days for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on call_days to app_system;

create unlogged table call_figures (
  slot timestamptz not null,
  kind text not null,
  name text not null,
  calls integer not null,
  errors integer not null,
  buckets integer[] not null,
  constraint call_figures_pkey primary key (slot, kind, name),
  constraint call_figures_kind_check check (kind in ('procedure', 'route', 'job')),
  constraint call_figures_name_check check ((length(name) >= 1) and (length(name) <= 200))
);
-- row-level security: enabled, forced
create policy system on call_figures for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on call_figures to app_system;

create table checkout_orders (
  id uuid not null,
  provider text not null,
  livemode boolean not null,
  kind text not null,
  state text not null default 'pending',
  creator_id uuid,
  link_id uuid,
  viewer_id uuid,
  buyer_id uuid,
  acct_id text not null,
  amount_cents bigint not null,
  fee_cents bigint not null,
  refunded_cents bigint not null default 0,
  currency text not null,
  message text not null default '',
  is_anonymous boolean not null default false,
  policy_version integer,
  terms jsonb not null default '{}',
  slug text,
  creator_name text not null default '',
  session_id text,
  payment_id text,
  charge_id text,
  expires_at timestamptz not null,
  paid_at timestamptz,
  opened_at timestamptz,
  retired_at timestamptz,
  synced_version integer not null default 0,
  created_at timestamptz not null,
  visits_before integer not null default 0,
  watched_before_ms bigint not null default 0,
  lent_before_ms bigint not null default 0,
  tries integer not null default 0,
  next_try_at timestamptz,
  tier_id uuid,
  fan_subscription_id uuid,
  invoice_id text,
  on_page boolean not null default false,
  signed_by text not null default '',
  request_id uuid,
  months smallint not null default 1,
  open_for_ms bigint,
  told_ending_at timestamptz,
  told_ended_at timestamptz,
  unreturned_cents bigint not null default 0,
  terms_shown text,
  ended_at timestamptz,
  ended_why text,
  constraint checkout_orders_pkey primary key (id),
  constraint checkout_orders_provider_payment_id_key unique (provider, payment_id),
  constraint checkout_orders_provider_session_id_key unique (provider, session_id),
  constraint checkout_orders_buyer_id_fkey foreign key (buyer_id) references buyers(id),
  constraint checkout_orders_creator_id_fkey foreign key (creator_id) references users(id) on delete set null,
  constraint checkout_orders_fan_subscription_id_fkey foreign key (fan_subscription_id) references fan_subscriptions(id) on delete set null,
  constraint checkout_orders_link_id_fkey foreign key (link_id) references magic_links(id) on delete set null,
  constraint checkout_orders_tier_id_fkey foreign key (tier_id) references fan_tiers(id) on delete set null,
  constraint checkout_orders_viewer_id_fkey foreign key (viewer_id) references viewers(id) on delete set null,
  constraint checkout_orders_amount_cents_check check (amount_cents > 0),
  constraint checkout_orders_check check ((fee_cents >= 0) and (fee_cents <= amount_cents)),
  constraint checkout_orders_check1 check ((refunded_cents >= 0) and (refunded_cents <= amount_cents)),
  constraint checkout_orders_currency_check check (currency ~ '^[a-z]{3}$'),
  constraint checkout_orders_ended check ((ended_at is null) = (ended_why is null)),
  constraint checkout_orders_kind_check check (kind in ('tip', 'album', 'bundle', 'fan_sub', 'platform_sub', 'request', 'credits')),
  constraint checkout_orders_message_check check (length(message) <= 200),
  constraint checkout_orders_months_check check (months in (1, 3, 6, 12)),
  constraint checkout_orders_open_for_ms_check check (open_for_ms > 0),
  constraint checkout_orders_provider_check check (provider in ('sandbox', 'stripe')),
  constraint checkout_orders_signed_by_check check (length(signed_by) <= 40),
  constraint checkout_orders_state_check check (state in ('pending', 'paid', 'partially_refunded', 'refunded', 'disputed', 'charged_back', 'expired', 'failed', 'canceled')),
  constraint checkout_orders_unreturned_cents_check check (unreturned_cents >= 0)
);
create index checkout_orders_asked on checkout_orders (created_at) where ((state in ('pending', 'canceled', 'failed')) and (session_id is not null));
create index checkout_orders_buyer on checkout_orders (buyer_id);
create index checkout_orders_charge on checkout_orders (charge_id);
create index checkout_orders_creator on checkout_orders (creator_id, created_at desc, id desc);
create index checkout_orders_ending on checkout_orders (opened_at) where ((open_for_ms is not null) and (told_ending_at is null));
create index checkout_orders_fan on checkout_orders (fan_subscription_id, paid_at desc) where (fan_subscription_id is not null);
create unique index checkout_orders_invoice on checkout_orders (provider, invoice_id);
create index checkout_orders_late on checkout_orders (paid_at) where ((ended_at is not null) and (state in ('paid', 'partially_refunded')));
create index checkout_orders_of_link on checkout_orders (link_id, paid_at desc) where (paid_at is not null);
create unique index checkout_orders_of_request on checkout_orders (request_id) where ((state = 'pending') and (request_id is not null));
create index checkout_orders_of_viewer on checkout_orders (viewer_id);
create index checkout_orders_open on checkout_orders (created_at) where (state = 'pending');
create unique index checkout_orders_page_tip on checkout_orders (creator_id, viewer_id, provider, livemode) where ((state = 'pending') and (kind = 'tip') and on_page);
create index checkout_orders_paid on checkout_orders (creator_id, paid_at desc, id desc) where (paid_at is not null);
create index checkout_orders_payment on checkout_orders (payment_id);
create unique index checkout_orders_pending on checkout_orders (link_id, viewer_id, provider, livemode) where ((state = 'pending') and (kind in ('tip', 'album', 'bundle', 'fan_sub')));
create index checkout_orders_returned on checkout_orders (creator_id) where ((paid_at is not null) and ((refunded_cents > 0) or (state in ('disputed', 'charged_back'))));
create unique index checkout_orders_subscribing on checkout_orders (creator_id, viewer_id, provider, livemode) where ((state = 'pending') and (kind = 'fan_sub'));
create index checkout_orders_tests on checkout_orders (provider) where ((retired_at is null) and (not livemode));
create index checkout_orders_tier on checkout_orders (tier_id) where (tier_id is not null);
create index checkout_orders_viewer on checkout_orders (link_id, viewer_id);
-- row-level security: enabled, forced
create policy own on checkout_orders for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on checkout_orders for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on checkout_orders to app_system;
grant select on checkout_orders to app_user;

create table claims (
  key text not null,
  source text not null,
  checked_at timestamptz not null,
  expires_at timestamptz,
  checked_by uuid,
  constraint claims_pkey primary key (key),
  constraint claims_key_check check (length(key) <= 80),
  constraint claims_source_check check ((length(source) >= 1) and (length(source) <= 500))
);
-- row-level security: enabled, forced
create policy system on claims for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on claims to app_system;

create table co_performers (
  id uuid not null,
  album_id uuid,
  user_id uuid not null,
  name text not null,
  email text,
  email_hash text not null,
  consent_state text not null,
  token_hash bytea not null,
  requested_at timestamptz not null,
  at timestamptz not null,
  given_at timestamptz,
  typed_name text,
  country text,
  agreed_words text,
  agreed_version text,
  agreed_items integer,
  pictures_gone_at timestamptz,
  ended_at timestamptz,
  constraint co_performers_pkey primary key (id),
  constraint co_performers_token_hash_key unique (token_hash),
  constraint co_performers_album_id_fkey foreign key (album_id) references albums(id) on delete set null,
  constraint co_performers_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint co_performers_check check ((given_at is null) or ((typed_name is not null) and (agreed_words is not null))),
  constraint co_performers_check1 check ((given_at is not null) or (consent_state in ('requested', 'refused'))),
  constraint co_performers_consent_state_check check (consent_state in ('requested', 'given', 'refused', 'withdrawn')),
  constraint co_performers_country_check check (length(country) = 2),
  constraint co_performers_email_check check (length(email) <= 254),
  constraint co_performers_name_check check (length(name) <= 80),
  constraint co_performers_typed_name_check check (length(typed_name) <= 80)
);
create index co_performers_album on co_performers (album_id);
create index co_performers_ended on co_performers (ended_at) where (ended_at is not null);
create unique index co_performers_once on co_performers (album_id, email_hash) where (ended_at is null);
create index co_performers_to_look_at on co_performers (pictures_gone_at) where ((consent_state = 'withdrawn') and (ended_at is null));
create index co_performers_user on co_performers (user_id, requested_at);
create index co_performers_withdrawn on co_performers (at) where ((consent_state = 'withdrawn') and (ended_at is null));
-- row-level security: enabled, forced
create policy own on co_performers for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on co_performers for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on co_performers to app_system;
grant delete, insert, select, update on co_performers to app_user;

create table codeword_log (
  seq bigint not null generated always as identity,
  at timestamptz not null,
  creator_id uuid not null,
  grant_id uuid,
  link_id uuid,
  commitment bytea not null,
  constraint codeword_log_pkey primary key (seq),
  constraint codeword_log_grant_id_key unique (grant_id),
  constraint codeword_log_link_id_key unique (link_id),
  constraint codeword_log_check check (num_nonnulls(grant_id, link_id) = 1)
);
create index codeword_log_creator on codeword_log (creator_id, seq);
create trigger append_only before delete or update on codeword_log for each row execute function refuse_change();
create trigger append_only_whole before truncate on codeword_log for each statement execute function refuse_change();
-- row-level security: enabled, forced
create policy own on codeword_log for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on codeword_log for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant insert, select on codeword_log to app_system;
grant select on codeword_log to app_user;

create table codeword_seals (
  creator_id uuid not null,
  n integer not null,
  last_seq bigint not null,
  hash bytea not null,
  at timestamptz not null,
  seqs bigint[] not null default '{}'::bigint[],
  rows_hash bytea not null default '\x'::bytea,
  constraint codeword_seals_pkey primary key (creator_id, n)
);
create index codeword_seals_last on codeword_seals (last_seq);
create trigger append_only before delete or update on codeword_seals for each row execute function refuse_change();
create trigger append_only_whole before truncate on codeword_seals for each statement execute function refuse_change();
-- row-level security: enabled, forced
create policy own on codeword_seals for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on codeword_seals for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant insert, select on codeword_seals to app_system;
grant select on codeword_seals to app_user;

create table commissions (
  id uuid not null,
  provider text not null,
  livemode boolean not null,
  invoice_id text not null,
  referral_id uuid not null,
  affiliate_id uuid not null,
  amount_cents bigint not null,
  currency text not null,
  state text not null default 'pending',
  created_at timestamptz not null,
  payable_at timestamptz not null,
  charge_id text,
  paid_at timestamptz,
  reversed_at timestamptz,
  reversed_because text,
  payout_id uuid,
  charge_asked_at timestamptz,
  returned_cents bigint not null default 0,
  constraint commissions_pkey primary key (id),
  constraint commissions_invoice_id_key unique (invoice_id),
  constraint commissions_affiliate_id_fkey foreign key (affiliate_id) references affiliates(id),
  constraint commissions_payout_id_fkey foreign key (payout_id) references affiliate_payouts(id),
  constraint commissions_referral_id_fkey foreign key (referral_id) references affiliate_referrals(id),
  constraint commissions_amount_cents_check check (amount_cents > 0),
  constraint commissions_charge_id_check check (length(charge_id) <= 255),
  constraint commissions_check check ((reversed_at is null) = (reversed_because is null)),
  constraint commissions_check1 check ((state <> 'void') or (reversed_at is not null)),
  constraint commissions_check2 check ((state = 'paid') = (paid_at is not null)),
  constraint commissions_currency_check check (currency ~ '^[a-z]{3}$'),
  constraint commissions_invoice_id_check check (length(invoice_id) <= 255),
  constraint commissions_provider_check check (provider in ('sandbox', 'stripe')),
  constraint commissions_reversed_because_check check (reversed_because in ('refunded', 'disputed', 'referral_void')),
  constraint commissions_state_check check (state in ('pending', 'payable', 'paid', 'void')),
  constraint returned_is_a_part check ((returned_cents >= 0) and (returned_cents <= amount_cents)),
  constraint reversed_is_all check ((reversed_at is not null) = (returned_cents = amount_cents))
);
create index commissions_affiliate on commissions (affiliate_id, created_at desc);
create index commissions_payout on commissions (payout_id);
create index commissions_pending on commissions (payable_at) where (state = 'pending');
create index commissions_referral on commissions (referral_id);
create index commissions_unnamed on commissions (created_at) where ((charge_id is null) and (reversed_at is null));
-- row-level security: enabled, forced
create policy system on commissions for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on commissions to app_system;

create table consent_stops (
  user_id uuid not null,
  email_hash text not null,
  at timestamptz not null,
  constraint consent_stops_pkey primary key (user_id, email_hash),
  constraint consent_stops_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
-- row-level security: enabled, forced
create policy system on consent_stops for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on consent_stops to app_system;

create table conversion_events (
  id uuid not null,
  session_id text not null,
  conversion_type text not null,
  user_id uuid,
  conversion_value integer,
  page_path text not null,
  created_at timestamptz not null,
  constraint conversion_events_pkey primary key (id),
  constraint conversion_events_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint conversion_events_conversion_type_check check (conversion_type in ('signup', 'signin')),
  constraint conversion_events_page_path_check check (length(page_path) <= 200),
  constraint conversion_events_session_id_check check (length(session_id) <= 60)
);
create index conversion_events_created on conversion_events (created_at);
create index conversion_events_user on conversion_events (user_id);
-- row-level security: enabled, forced
create policy system on conversion_events for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on conversion_events to app_system;

create table creations (
  user_id uuid not null,
  key uuid not null,
  wish text not null,
  made_id uuid not null,
  created_at timestamptz not null,
  constraint creations_pkey primary key (user_id, key),
  constraint creations_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index creations_age on creations (created_at);
-- row-level security: enabled, forced
create policy own on creations for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on creations for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on creations to app_system;
grant insert, select on creations to app_user;

create table creator_days (
  creator_id uuid not null,
  day date not null,
  opens integer not null default 0,
  views integer not null default 0,
  watch_ms bigint not null default 0,
  new_viewers integer not null default 0,
  constraint creator_days_pkey primary key (creator_id, day),
  constraint creator_days_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade
);
-- row-level security: enabled, forced
create policy own on creator_days for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on creator_days for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on creator_days to app_system;
grant select on creator_days to app_user;

create table creator_folds (
  creator_id uuid not null,
  xid xid8 not null,
  constraint creator_folds_pkey primary key (creator_id),
  constraint creator_folds_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade
);
-- row-level security: enabled, forced
create policy own on creator_folds for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on creator_folds for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on creator_folds to app_system;
grant select on creator_folds to app_user;

create table creator_hours (
  creator_id uuid not null,
  day date not null,
  hour smallint not null,
  opens integer not null default 0,
  views integer not null default 0,
  watch_ms bigint not null default 0,
  constraint creator_hours_pkey primary key (creator_id, day, hour),
  constraint creator_hours_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint creator_hours_hour_check check ((hour >= 0) and (hour <= 23))
);
-- row-level security: enabled, forced
create policy own on creator_hours for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on creator_hours for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on creator_hours to app_system;
grant select on creator_hours to app_user;

create table creator_keys (
  creator_id uuid not null,
  key_id text not null,
  wrapped bytea not null,
  constraint creator_keys_pkey primary key (creator_id),
  constraint creator_keys_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade
);
-- row-level security: enabled, forced
create policy system on creator_keys for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on creator_keys to app_system;

create table creator_viewers (
  creator_id uuid not null,
  viewer_id uuid not null,
  last_view_at timestamptz not null,
  constraint creator_viewers_pkey primary key (creator_id, viewer_id),
  constraint creator_viewers_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade
);
create index creator_viewers_old on creator_viewers (last_view_at);
create index creator_viewers_seen on creator_viewers (creator_id, last_view_at);
-- row-level security: enabled, forced
create policy own on creator_viewers for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on creator_viewers for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on creator_viewers to app_system;
grant select on creator_viewers to app_user;

create table credit_debits (
  job_id uuid not null,
  provider text not null,
  livemode boolean not null,
  user_id uuid not null,
  what text not null,
  credits integer not null,
  lots jsonb not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  turn integer not null default 1,
  outlives_deletion boolean not null default false,
  constraint credit_debits_pkey primary key (job_id, turn),
  constraint credit_debits_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint credit_debits_credits_check check (credits > 0),
  constraint credit_debits_provider_check check (provider in ('sandbox', 'stripe')),
  constraint credit_debits_turn_check check (turn > 0),
  constraint credit_debits_what_check check (what in ('trace', 'storage', 'address', 'priority', 'answers', 'video'))
);
create index credit_debits_moved on credit_debits (created_at) where ((what = 'priority') and (revoked_at is null));
create unique index credit_debits_standing on credit_debits (job_id) where (revoked_at is null);
create index credit_debits_traces on credit_debits (created_at) where ((what = 'trace') and (revoked_at is null));
create index credit_debits_user on credit_debits (user_id, created_at desc);
-- row-level security: enabled, forced
create policy own on credit_debits for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on credit_debits for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on credit_debits to app_system;
grant select on credit_debits to app_user;

create table credit_lots (
  id uuid not null,
  provider text not null,
  livemode boolean not null,
  user_id uuid not null,
  source text not null,
  order_id uuid,
  granted integer not null,
  remaining integer not null,
  taken_back integer not null default 0,
  turns integer not null default 0,
  expires_at timestamptz,
  created_at timestamptz not null,
  constraint credit_lots_pkey primary key (id),
  constraint credit_lots_order_id_key unique (order_id),
  constraint credit_lots_order_id_fkey foreign key (order_id) references credit_orders(id) on delete set null,
  constraint credit_lots_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint credit_lots_check check ((remaining >= 0) and (remaining <= granted)),
  constraint credit_lots_check1 check ((taken_back >= 0) and (taken_back <= granted)),
  constraint credit_lots_check2 check ((source <> 'pack') or (expires_at is null)),
  constraint credit_lots_granted_check check (granted > 0),
  constraint credit_lots_provider_check check (provider in ('sandbox', 'stripe')),
  constraint credit_lots_source_check check (source in ('pack', 'suite', 'first_album', 'first_link', 'payouts', 'grant', 'returned', 'referral'))
);
create index credit_lots_ending on credit_lots (expires_at) where ((remaining > 0) and (expires_at is not null));
create index credit_lots_spent on credit_lots (user_id, expires_at, created_at, id) where (remaining > 0);
create index credit_lots_user on credit_lots (user_id);
-- row-level security: enabled, forced
create policy own on credit_lots for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on credit_lots for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on credit_lots to app_system;
grant select on credit_lots to app_user;

create table credit_orders (
  id uuid not null,
  provider text not null,
  livemode boolean not null,
  user_id uuid,
  credits integer not null,
  amount_cents bigint not null,
  currency text not null,
  state text not null default 'pending',
  session_id text,
  payment_id text,
  charge_id text,
  refunded_cents bigint not null default 0,
  back_credits integer not null default 0,
  back_cents bigint not null default 0,
  back_state text,
  expires_at timestamptz not null,
  paid_at timestamptz,
  is_unsettled boolean not null default false,
  synced_version integer not null default 0,
  created_at timestamptz not null,
  back_tries integer not null default 0,
  ended_at timestamptz,
  ended_why text,
  constraint credit_orders_pkey primary key (id),
  constraint credit_orders_provider_payment_id_key unique (provider, payment_id),
  constraint credit_orders_provider_session_id_key unique (provider, session_id),
  constraint credit_orders_user_id_fkey foreign key (user_id) references users(id) on delete set null,
  constraint credit_orders_amount_cents_check check (amount_cents > 0),
  constraint credit_orders_back_state_check check (back_state in ('pending', 'succeeded', 'failed')),
  constraint credit_orders_back_tries_check check (back_tries >= 0),
  constraint credit_orders_check check ((refunded_cents >= 0) and (refunded_cents <= amount_cents)),
  constraint credit_orders_check1 check ((back_credits >= 0) and (back_credits <= credits)),
  constraint credit_orders_check2 check ((back_cents >= 0) and (back_cents <= amount_cents)),
  constraint credit_orders_credits_check check (credits > 0),
  constraint credit_orders_currency_check check ((currency ~ '^[a-z]{3}$') and (currency <> 'crd')),
  constraint credit_orders_ended check ((ended_at is null) = (ended_why is null)),
  constraint credit_orders_provider_check check (provider in ('sandbox', 'stripe')),
  constraint credit_orders_state_check check (state in ('pending', 'paid', 'partially_refunded', 'refunded', 'disputed', 'charged_back', 'expired', 'failed'))
);
create index credit_orders_asked on credit_orders (created_at) where (state = 'pending');
create index credit_orders_back on credit_orders (created_at) where (back_state = 'pending');
create index credit_orders_charge on credit_orders (charge_id);
create unique index credit_orders_open on credit_orders (user_id, provider, livemode) where (state = 'pending');
create index credit_orders_unsettled on credit_orders (created_at) where is_unsettled;
create index credit_orders_user on credit_orders (user_id, created_at desc);
-- row-level security: enabled, forced
create policy own on credit_orders for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on credit_orders for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on credit_orders to app_system;
grant select on credit_orders to app_user;

create table custom_request_events (
  id bigint not null generated always as identity,
  request_id uuid not null,
  who text not null,
  what text not null,
  text text not null default '',
  amount_cents bigint,
  at timestamptz not null,
  constraint custom_request_events_pkey primary key (id),
  constraint custom_request_events_request_id_fkey foreign key (request_id) references custom_requests(id),
  constraint custom_request_events_text_check check (length(text) <= 500),
  constraint custom_request_events_who_check check (who in ('buyer', 'creator', 'staff', 'system'))
);
create index custom_request_events_of on custom_request_events (request_id, id);
create trigger append_only before delete or update on custom_request_events for each row execute function refuse_change_but_erasure();
create trigger append_only_whole before truncate on custom_request_events for each statement execute function refuse_change();
-- row-level security: enabled, forced
create policy system on custom_request_events for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant insert, select on custom_request_events to app_system;
grant update (text) on custom_request_events to app_system;

create table custom_requests (
  id uuid not null,
  provider text not null,
  livemode boolean not null,
  creator_id uuid,
  creator_name text not null,
  viewer_id uuid,
  buyer_id uuid not null,
  link_id uuid,
  title text not null,
  brief text not null,
  kind text not null,
  quantity integer not null,
  length_minutes integer,
  wanted_by date,
  time_zone text not null,
  currency text not null,
  offered_cents bigint not null,
  agreed_cents bigint,
  state text not null,
  is_counter boolean not null default false,
  act_until timestamptz,
  due_at timestamptz,
  paid_at timestamptz,
  delivered_at timestamptz,
  closed_at timestamptz,
  was_revised boolean not null default false,
  end_reason text,
  order_id uuid,
  delivery_link_id uuid,
  delivery_album_id uuid,
  created_at timestamptz not null,
  stopped_at timestamptz,
  reminded_at timestamptz,
  reported_at timestamptz,
  due_days integer,
  constraint custom_requests_pkey primary key (id),
  constraint custom_requests_buyer_id_fkey foreign key (buyer_id) references buyers(id),
  constraint custom_requests_creator_id_fkey foreign key (creator_id) references users(id) on delete set null,
  constraint custom_requests_delivery_album_id_fkey foreign key (delivery_album_id) references albums(id) on delete set null,
  constraint custom_requests_delivery_link_id_fkey foreign key (delivery_link_id) references magic_links(id) on delete set null,
  constraint custom_requests_link_id_fkey foreign key (link_id) references magic_links(id) on delete set null,
  constraint custom_requests_order_id_fkey foreign key (order_id) references checkout_orders(id) on delete set null,
  constraint custom_requests_viewer_id_fkey foreign key (viewer_id) references viewers(id) on delete set null,
  constraint custom_requests_agreed_cents_check check ((agreed_cents >= 1000) and (agreed_cents <= 50000)),
  constraint custom_requests_brief_check check ((length(brief) >= 1) and (length(brief) <= 1500)),
  constraint custom_requests_due_days_check check ((due_days >= 1) and (due_days <= 30)),
  constraint custom_requests_kind_check check (kind in ('photo', 'video', 'both')),
  constraint custom_requests_length_minutes_check check ((length_minutes >= 1) and (length_minutes <= 60)),
  constraint custom_requests_offered_cents_check check ((offered_cents >= 1000) and (offered_cents <= 50000)),
  constraint custom_requests_quantity_check check ((quantity >= 1) and (quantity <= 20)),
  constraint custom_requests_state_check check (state in ('requested', 'quoted', 'paid', 'delivered', 'revision_requested', 'problem', 'released', 'declined', 'expired', 'refunded')),
  constraint custom_requests_title_check check ((length(title) >= 1) and (length(title) <= 80))
);
create index custom_requests_delivery_album on custom_requests (delivery_album_id);
create index custom_requests_delivery_link on custom_requests (delivery_link_id);
create index custom_requests_link on custom_requests (link_id);
create index custom_requests_of_buyer on custom_requests (buyer_id);
create index custom_requests_of_creator on custom_requests (creator_id, created_at desc, id desc);
create index custom_requests_of_viewer on custom_requests (viewer_id);
create index custom_requests_open on custom_requests (state, act_until) where (closed_at is null);
create index custom_requests_order on custom_requests (order_id);
create index custom_requests_released on custom_requests (closed_at) where (state = 'released');
create index custom_requests_reported on custom_requests (act_until) where ((state = 'released') and (act_until is not null));
-- row-level security: enabled, forced
create policy own on custom_requests for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on custom_requests for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on custom_requests to app_system;
grant select on custom_requests to app_user;

create table customer_cards (
  provider text not null,
  livemode boolean not null,
  customer_id text not null,
  card_id text,
  asked_at timestamptz,
  constraint customer_cards_pkey primary key (provider, livemode, customer_id)
);
create index customer_cards_asked on customer_cards (asked_at) where (asked_at is not null);
-- row-level security: enabled, forced
create policy system on customer_cards for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on customer_cards to app_system;

create table data_codes (
  id uuid not null,
  act text not null,
  browser_hash bytea not null,
  email text not null,
  code_hash bytea not null,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint data_codes_pkey primary key (id),
  constraint data_codes_act_browser_hash_key unique (act, browser_hash),
  constraint data_codes_act_check check (act in ('export', 'erase', 'keep')),
  constraint data_codes_browser_hash_check check (length(browser_hash) = 32),
  constraint data_codes_code_hash_check check (length(code_hash) = 32),
  constraint data_codes_email_check check (length(email) <= 254)
);
create index data_codes_expiry on data_codes (expires_at);
-- row-level security: enabled, forced
create policy system on data_codes for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on data_codes to app_system;

create table data_exports (
  id uuid not null,
  user_id uuid not null,
  has_originals boolean not null,
  state text not null default 'requested',
  requested_at timestamptz not null,
  attempt smallint not null default 0,
  done_bytes bigint not null default 0,
  total_bytes bigint not null default 0,
  size_bytes bigint,
  ready_at timestamptz,
  expires_at timestamptz,
  failure text,
  ended_at timestamptz,
  files_removed_at timestamptz,
  opened_by uuid,
  opened_until timestamptz,
  constraint data_exports_pkey primary key (id),
  constraint data_exports_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint data_exports_check check ((state = 'ready') <= ((size_bytes is not null) and (expires_at is not null))),
  constraint data_exports_check1 check ((state in ('expired', 'failed')) = (ended_at is not null)),
  constraint data_exports_failure_check check (failure in ('no_room', 'broken')),
  constraint data_exports_state_check check (state in ('requested', 'building', 'ready', 'expired', 'failed'))
);
create index data_exports_left on data_exports (ended_at) where (ended_at is not null);
create index data_exports_of on data_exports (user_id, requested_at desc);
create unique index data_exports_one on data_exports (user_id) where (state in ('requested', 'building', 'ready'));
create index data_exports_ready on data_exports (expires_at) where (state = 'ready');
-- row-level security: enabled, forced
create policy own on data_exports for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on data_exports for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on data_exports to app_system;
grant select on data_exports to app_user;

create table deliveries (
  grant_id uuid not null,
  media_id uuid not null,
  rendition text not null,
  pack_id uuid not null,
  creator_id uuid not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  lent_seconds int4multirange,
  constraint deliveries_pkey primary key (grant_id, media_id, rendition, pack_id),
  constraint deliveries_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint deliveries_grant_id_fkey foreign key (grant_id) references grants(id) on delete cascade,
  constraint deliveries_media_id_fkey foreign key (media_id) references media(id) on delete cascade
);
create index deliveries_creator on deliveries (creator_id);
create index deliveries_media on deliveries (media_id);
-- row-level security: enabled, forced
create policy own on deliveries for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on deliveries for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on deliveries to app_system;
grant select on deliveries to app_user;

create table demo_events (
  id uuid not null,
  path text not null,
  meta jsonb not null,
  created_at timestamptz not null,
  constraint demo_events_pkey primary key (id),
  constraint demo_events_path_check check (length(path) <= 200)
);
create index demo_events_created on demo_events (created_at);
-- row-level security: enabled, forced
create policy system on demo_events for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on demo_events to app_system;

create table dispute_evidence (
  dispute_id uuid not null,
  facts jsonb not null,
  fields jsonb not null,
  was_opened boolean not null,
  built_at timestamptz not null,
  objected_at timestamptz,
  objection text not null default '',
  wanted_at timestamptz,
  handed_in_at timestamptz,
  refused text,
  constraint dispute_evidence_pkey primary key (dispute_id),
  constraint dispute_evidence_dispute_id_fkey foreign key (dispute_id) references disputes(id) on delete cascade,
  constraint dispute_evidence_objection_check check (length(objection) <= 500)
);
create index dispute_evidence_waiting on dispute_evidence (built_at) where (handed_in_at is null);
-- row-level security: enabled, forced
create policy system on dispute_evidence for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on dispute_evidence to app_system;

create table disputes (
  id uuid not null,
  provider text not null,
  livemode boolean not null,
  dispute_id text not null,
  charge_id text not null,
  order_id uuid,
  creator_id uuid,
  viewer_id uuid,
  status text not null,
  standing text not null,
  reason text not null,
  amount_cents bigint not null,
  currency text not null,
  taken_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  due_by timestamptz,
  submitted_at timestamptz,
  transfer_id text,
  back_cents bigint,
  back_fee_cents bigint,
  reversal_id text,
  retransfer_id text,
  opened_at timestamptz not null,
  decided_at timestamptz,
  settled_at timestamptz,
  tries integer not null default 0,
  next_try_at timestamptz,
  synced_version integer not null default 0,
  created_at timestamptz not null,
  borne_cents bigint,
  fee_asked_cents bigint,
  fee_payment_id text,
  fee_back_cents bigint,
  fee_back_id text,
  fee_tries integer not null default 0,
  fee_next_try_at timestamptz,
  evidence_attempts integer not null default 0,
  back_refused_at timestamptz,
  again_refused_at timestamptz,
  fee_back_refused_at timestamptz,
  constraint disputes_pkey primary key (id),
  constraint disputes_provider_dispute_id_key unique (provider, dispute_id),
  constraint disputes_creator_id_fkey foreign key (creator_id) references users(id) on delete set null,
  constraint disputes_order_id_fkey foreign key (order_id) references checkout_orders(id) on delete set null,
  constraint disputes_viewer_id_fkey foreign key (viewer_id) references viewers(id) on delete set null,
  constraint disputes_amount_cents_check check (amount_cents > 0),
  constraint disputes_back_cents_check check (back_cents >= 0),
  constraint disputes_borne_cents_check check (borne_cents >= 0),
  constraint disputes_check check ((back_fee_cents >= 0) and (back_fee_cents <= back_cents)),
  constraint disputes_currency_check check (currency ~ '^[a-z]{3}$'),
  constraint disputes_fee_asked_cents_check check (fee_asked_cents > 0),
  constraint disputes_fee_back_cents_check check (fee_back_cents > 0),
  constraint disputes_provider_check check (provider in ('sandbox', 'stripe')),
  constraint disputes_standing_check check (standing in ('warning', 'open', 'won', 'lost', 'over'))
);
create index disputes_borne on disputes (opened_at) where (borne_cents > 0);
create index disputes_creator on disputes (creator_id, opened_at desc, id desc);
create index disputes_fee_payment on disputes (fee_payment_id) where (fee_payment_id is not null);
create index disputes_open on disputes (opened_at) where (settled_at is null);
create index disputes_order on disputes (order_id);
create index disputes_viewer on disputes (viewer_id);
-- row-level security: enabled, forced
create policy own on disputes for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on disputes for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on disputes to app_system;
grant select on disputes to app_user;

create table email_changes (
  id uuid not null,
  user_id uuid not null,
  new_email text not null,
  code_hash bytea not null,
  tries integer not null default 0,
  code_expires_at timestamptz not null,
  created_at timestamptz not null,
  changed_at timestamptz,
  old_email text,
  undo_hash bytea,
  undo_expires_at timestamptz,
  undone_at timestamptz,
  link_hash bytea,
  constraint email_changes_pkey primary key (id),
  constraint email_changes_link_hash_key unique (link_hash),
  constraint email_changes_undo_hash_key unique (undo_hash),
  constraint email_changes_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint email_changes_check check ((changed_at is null) = (old_email is null)),
  constraint email_changes_check1 check ((changed_at is null) = (undo_hash is null)),
  constraint email_changes_check2 check ((changed_at is null) = (undo_expires_at is null)),
  constraint email_changes_check3 check ((undone_at is null) or (changed_at is not null)),
  constraint email_changes_new_email_check check (length(new_email) <= 254),
  constraint email_changes_old_email_check check (length(old_email) <= 254)
);
create unique index email_changes_asked on email_changes (user_id) where (changed_at is null);
create index email_changes_code_expiry on email_changes (code_expires_at);
create index email_changes_of_user on email_changes (user_id, changed_at);
create index email_changes_old on email_changes (old_email) where (undone_at is null);
-- row-level security: enabled, forced
create policy system on email_changes for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on email_changes to app_system;

create table email_tokens (
  id uuid not null,
  user_id uuid,
  purpose text not null,
  token_hash bytea not null,
  code_hash bytea not null,
  browser_hash bytea not null,
  tries integer not null default 0,
  code_expires_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null,
  join_token_id uuid,
  constraint email_tokens_pkey primary key (id),
  constraint email_tokens_token_hash_key unique (token_hash),
  constraint email_tokens_join_token_id_fkey foreign key (join_token_id) references join_tokens(id) on delete set null,
  constraint email_tokens_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint email_tokens_purpose_check check (purpose in ('confirm', 'password'))
);
create index email_tokens_browser on email_tokens (browser_hash, purpose, created_at desc);
create index email_tokens_expiry on email_tokens (expires_at);
create index email_tokens_user on email_tokens (user_id, purpose, created_at desc);
-- row-level security: enabled, forced
create policy system on email_tokens for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on email_tokens to app_system;

create table error_logs (
  id uuid not null,
  user_id uuid,
  component text not null,
  error_message text not null,
  error_stack text,
  url text,
  user_agent text,
  session_id uuid,
  severity text not null default 'error',
  created_at timestamptz not null default now(),
  request_id text,
  constraint error_logs_pkey primary key (id),
  constraint error_logs_request_id_check check (length(request_id) <= 100),
  constraint error_logs_severity_check check (severity in ('warning', 'error', 'critical'))
);
create index error_logs_at on error_logs (created_at desc);
create index error_logs_request on error_logs (request_id) where (request_id is not null);
-- row-level security: enabled, forced
create policy system on error_logs for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on error_logs to app_system;

create table export_keys (
  export_id uuid not null,
  user_id uuid not null,
  key_id text not null,
  wrapped bytea not null,
  constraint export_keys_pkey primary key (export_id),
  constraint export_keys_export_id_fkey foreign key (export_id) references data_exports(id) on delete cascade,
  constraint export_keys_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index export_keys_of on export_keys (user_id);
-- row-level security: enabled, forced
create policy system on export_keys for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on export_keys to app_system;

create table fan_subscriptions (
  id uuid not null,
  source text not null,
  provider text,
  livemode boolean,
  creator_id uuid,
  creator_name text not null default '',
  viewer_id uuid,
  buyer_id uuid,
  tier_id uuid,
  tier_name text not null default '',
  link_id uuid,
  subscription_id text,
  customer_id text,
  status text not null,
  is_paused boolean not null default false,
  amount_cents bigint not null default 0,
  currency text not null default 'usd',
  period_start timestamptz,
  period_end timestamptz,
  cancel_at_period_end boolean not null default false,
  stopped_at timestamptz,
  ended_at timestamptz,
  next_attempt_at timestamptz,
  card_brand text,
  card_last4 text,
  paid_order_id uuid,
  reminded_at timestamptz,
  told_cents bigint,
  retired_at timestamptz,
  tries integer not null default 0,
  next_try_at timestamptz,
  synced_at timestamptz,
  synced_version integer not null default 0,
  created_at timestamptz not null,
  cut_cents bigint,
  months smallint not null default 1,
  draft_invoice_id text,
  draft_since timestamptz,
  finalization_error text,
  finalize_at timestamptz,
  constraint fan_subscriptions_pkey primary key (id),
  constraint fan_subscriptions_provider_subscription_id_key unique (provider, subscription_id),
  constraint fan_subscriptions_buyer_id_fkey foreign key (buyer_id) references buyers(id),
  constraint fan_subscriptions_creator_id_fkey foreign key (creator_id) references users(id) on delete set null,
  constraint fan_subscriptions_link_id_fkey foreign key (link_id) references magic_links(id) on delete set null,
  constraint fan_subscriptions_paid_order_id_fkey foreign key (paid_order_id) references checkout_orders(id) on delete set null,
  constraint fan_subscriptions_tier_id_fkey foreign key (tier_id) references fan_tiers(id) on delete set null,
  constraint fan_subscriptions_viewer_id_fkey foreign key (viewer_id) references viewers(id) on delete set null,
  constraint fan_subscriptions_amount_cents_check check (amount_cents >= 0),
  constraint fan_subscriptions_check check ((source = 'pass') or ((provider is not null) and (livemode is not null) and (subscription_id is not null) and (customer_id is not null))),
  constraint fan_subscriptions_currency_check check (currency ~ '^[a-z]{3}$'),
  constraint fan_subscriptions_cut_cents_check check (cut_cents > 0),
  constraint fan_subscriptions_months_check check (months in (1, 3, 6, 12)),
  constraint fan_subscriptions_provider_check check (provider in ('sandbox', 'stripe')),
  constraint fan_subscriptions_source_check check (source in ('paid', 'pass'))
);
create index fan_subscriptions_buyer on fan_subscriptions (buyer_id);
create index fan_subscriptions_creator on fan_subscriptions (creator_id, created_at desc, id desc);
create index fan_subscriptions_drafted on fan_subscriptions (draft_since) where (draft_since is not null);
create index fan_subscriptions_link on fan_subscriptions (link_id);
create index fan_subscriptions_order on fan_subscriptions (paid_order_id);
create index fan_subscriptions_running on fan_subscriptions (period_end) where ((ended_at is null) and (source = 'paid'));
create index fan_subscriptions_tier on fan_subscriptions (tier_id);
create index fan_subscriptions_viewer on fan_subscriptions (viewer_id, creator_id);
-- row-level security: enabled, forced
create policy own on fan_subscriptions for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on fan_subscriptions for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on fan_subscriptions to app_system;
grant select on fan_subscriptions to app_user;

create table fan_tiers (
  id uuid not null,
  creator_id uuid not null,
  slot smallint,
  name text not null,
  price_cents bigint not null,
  currency text not null default 'usd',
  benefits text not null default '',
  all_future boolean not null,
  album_ids uuid[] not null default '{}'::uuid[],
  stopped_at timestamptz,
  created_at timestamptz not null,
  off_3 smallint,
  off_6 smallint,
  off_12 smallint,
  constraint fan_tiers_pkey primary key (id),
  constraint fan_tiers_creator_id_slot_key unique (creator_id, slot),
  constraint fan_tiers_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint fan_tiers_album_ids_check check (cardinality(album_ids) <= 100),
  constraint fan_tiers_benefits_check check (length(benefits) <= 300),
  constraint fan_tiers_check check (all_future = (cardinality(album_ids) = 0)),
  constraint fan_tiers_check1 check ((slot is null) = (stopped_at is not null)),
  constraint fan_tiers_currency_check check (currency ~ '^[a-z]{3}$'),
  constraint fan_tiers_name_check check ((length(name) >= 1) and (length(name) <= 40)),
  constraint fan_tiers_off_12_check check ((off_12 >= 0) and (off_12 <= 50)),
  constraint fan_tiers_off_3_check check ((off_3 >= 0) and (off_3 <= 50)),
  constraint fan_tiers_off_6_check check ((off_6 >= 0) and (off_6 <= 50)),
  constraint fan_tiers_price_cents_check check ((price_cents >= 500) and (price_cents <= 4999)),
  constraint fan_tiers_slot_check check ((slot >= 1) and (slot <= 3))
);
create index fan_tiers_creator on fan_tiers (creator_id, created_at, id);
-- row-level security: enabled, forced
create policy own on fan_tiers for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on fan_tiers for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on fan_tiers to app_system;
grant select on fan_tiers to app_user;

create table film_days (
  creator_id uuid not null,
  day date not null,
  media_id uuid not null,
  plays integer not null default 0,
  completions integer not null default 0,
  constraint film_days_pkey primary key (creator_id, day, media_id),
  constraint film_days_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade
);
-- row-level security: enabled, forced
create policy own on film_days for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on film_days for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on film_days to app_system;
grant select on film_days to app_user;

create table film_edges (
  creator_id uuid not null,
  day date not null,
  media_id uuid not null,
  second integer not null,
  change integer not null,
  constraint film_edges_pkey primary key (creator_id, day, media_id, second),
  constraint film_edges_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade
);
-- row-level security: enabled, forced
create policy own on film_edges for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on film_edges for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on film_edges to app_system;
grant select on film_edges to app_user;

create table fold_watermarks (
  name text not null,
  xid xid8 not null,
  folded_at timestamptz not null default now(),
  constraint fold_watermarks_pkey primary key (name)
);
-- row-level security: enabled, forced
create policy system on fold_watermarks for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on fold_watermarks to app_system;

create table fraud_warnings (
  id uuid not null,
  provider text not null,
  livemode boolean not null,
  warning_id text not null,
  charge_id text not null,
  fraud_type text not null,
  warned_at timestamptz not null,
  returned_at timestamptz,
  settled_at timestamptz,
  tries integer not null default 0,
  next_try_at timestamptz,
  created_at timestamptz not null,
  constraint fraud_warnings_pkey primary key (id),
  constraint fraud_warnings_provider_warning_id_key unique (provider, warning_id),
  constraint fraud_warnings_provider_check check (provider in ('sandbox', 'stripe'))
);
create index fraud_warnings_charge on fraud_warnings (charge_id);
create index fraud_warnings_open on fraud_warnings (warned_at) where (settled_at is null);
-- row-level security: enabled, forced
create policy system on fraud_warnings for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on fraud_warnings to app_system;

create table full_checks (
  id uuid not null,
  started_by uuid,
  started_at timestamptz not null,
  seen_at timestamptz,
  cancelled_at timestamptz,
  ended_at timestamptz,
  result text,
  steps jsonb not null default '[]',
  creator_id uuid,
  viewer_ids uuid[] not null default '{}'::uuid[],
  cleaned_at timestamptz,
  part text,
  passed_calls text[] not null default '{}',
  constraint full_checks_pkey primary key (id),
  constraint full_checks_started_by_fkey foreign key (started_by) references users(id) on delete set null,
  constraint full_checks_check check ((ended_at is null) = (result is null)),
  constraint full_checks_part_check check (part = 'payment'),
  constraint full_checks_result_check check (result in ('green', 'red', 'cancelled', 'died'))
);
create unique index full_checks_running on full_checks ((true)) where (ended_at is null);
create index full_checks_started on full_checks (started_at desc);
create index full_checks_started_by on full_checks (started_by);
create index full_checks_to_clean on full_checks (started_at) where (cleaned_at is null);
-- row-level security: enabled, forced
create policy system on full_checks for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on full_checks to app_system;

create table gate_codes (
  id uuid not null,
  link_id uuid not null,
  browser_hash bytea not null,
  email text not null,
  code_hash bytea not null,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint gate_codes_pkey primary key (id),
  constraint gate_codes_link_id_browser_hash_key unique (link_id, browser_hash),
  constraint gate_codes_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade,
  constraint gate_codes_browser_hash_check check (length(browser_hash) = 32),
  constraint gate_codes_code_hash_check check (length(code_hash) = 32),
  constraint gate_codes_email_check check (length(email) <= 254)
);
create index gate_codes_expiry on gate_codes (expires_at);
-- row-level security: enabled, forced
create policy system on gate_codes for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on gate_codes to app_system;

create table gate_passes (
  link_id uuid not null,
  viewer_id uuid not null,
  gate text not null,
  rule_version integer not null,
  at timestamptz not null,
  email text,
  constraint gate_passes_pkey primary key (link_id, viewer_id, gate),
  constraint gate_passes_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade,
  constraint gate_passes_viewer_id_fkey foreign key (viewer_id) references viewers(id) on delete cascade,
  constraint gate_passes_email_check check (((gate = 'email') = (email is not null)) and (length(email) <= 254)),
  constraint gate_passes_gate_check check (gate in ('password', 'email', 'agreement'))
);
create index gate_passes_viewer on gate_passes (viewer_id);
-- row-level security: enabled, forced
create policy system on gate_passes for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on gate_passes to app_system;

create table gate_visitors (
  link_id uuid not null,
  browser_hash bytea not null,
  creator_id uuid not null,
  day date not null,
  last_at timestamptz not null,
  is_at_gate boolean not null,
  constraint gate_visitors_pkey primary key (link_id, browser_hash),
  constraint gate_visitors_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint gate_visitors_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade,
  constraint gate_visitors_browser_hash_check check (length(browser_hash) = 32)
);
create index gate_visitors_creator on gate_visitors (creator_id, last_at);
create index gate_visitors_day on gate_visitors (link_id, day);
create index gate_visitors_old on gate_visitors (last_at);
-- row-level security: enabled, forced
create policy own on gate_visitors for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on gate_visitors for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on gate_visitors to app_system;
grant select on gate_visitors to app_user;

create table grants (
  id uuid not null,
  kind text not null,
  creator_id uuid not null,
  user_id uuid,
  created_at timestamptz not null,
  constraint grants_pkey primary key (id),
  constraint grants_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint grants_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint grants_kind_check check (kind in ('link', 'owner', 'admin'))
);
create index grants_creator on grants (creator_id);
create unique index grants_owner on grants (creator_id, user_id, kind) where (kind <> 'link');
create index grants_user on grants (user_id);
-- row-level security: enabled, forced
create policy own on grants for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on grants for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on grants to app_system;
grant select on grants to app_user;

create table held_releases (
  request_id uuid not null,
  order_id uuid not null,
  amount_cents bigint not null,
  fee_cents bigint not null,
  state text not null default 'pending',
  transfer_id text,
  tries integer not null default 0,
  next_try_at timestamptz,
  last_error text,
  created_at timestamptz not null,
  done_at timestamptz,
  refused_at timestamptz,
  refused_why text,
  told_at timestamptz,
  constraint held_releases_pkey primary key (request_id),
  constraint held_releases_order_id_key unique (order_id),
  constraint held_releases_transfer_id_key unique (transfer_id),
  constraint held_releases_order_id_fkey foreign key (order_id) references checkout_orders(id),
  constraint held_releases_request_id_fkey foreign key (request_id) references custom_requests(id),
  constraint held_releases_amount_cents_check check (amount_cents > 0),
  constraint held_releases_fee_cents_check check (fee_cents >= 0),
  constraint held_releases_state_check check (state in ('pending', 'done'))
);
create index held_releases_due on held_releases (created_at) where (state = 'pending');
-- row-level security: enabled, forced
create policy system on held_releases for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on held_releases to app_system;

create table item_days (
  creator_id uuid not null,
  day date not null,
  media_id uuid not null,
  looks integer not null default 0,
  watch_ms bigint not null default 0,
  constraint item_days_pkey primary key (creator_id, day, media_id),
  constraint item_days_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade
);
-- row-level security: enabled, forced
create policy own on item_days for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on item_days for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on item_days to app_system;
grant select on item_days to app_user;

create table item_months (
  creator_id uuid not null,
  month date not null,
  media_id uuid not null,
  looks integer not null default 0,
  watch_ms bigint not null default 0,
  constraint item_months_pkey primary key (creator_id, month, media_id),
  constraint item_months_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade
);
-- row-level security: enabled, forced
create policy own on item_months for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on item_months for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on item_months to app_system;
grant select on item_months to app_user;

create table join_claims (
  user_id uuid,
  token_id uuid not null,
  claimed_at timestamptz not null,
  ip_country text,
  id uuid not null default gen_random_uuid(),
  creator_id uuid,
  viewer_id uuid,
  person_hash bytea,
  fan_subscription_id uuid,
  constraint join_claims_pkey primary key (id),
  constraint join_claims_person unique (creator_id, person_hash),
  constraint join_claims_user unique (user_id),
  constraint join_claims_viewer unique (creator_id, viewer_id),
  constraint join_claims_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint join_claims_fan_subscription_id_fkey foreign key (fan_subscription_id) references fan_subscriptions(id) on delete set null,
  constraint join_claims_token_id_fkey foreign key (token_id) references join_tokens(id) on delete cascade,
  constraint join_claims_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint join_claims_viewer_id_fkey foreign key (viewer_id) references viewers(id) on delete set null,
  constraint join_claims_kind_check check ((user_id is null) = ((creator_id is not null) and (person_hash is not null))),
  constraint join_claims_person_hash_check check (length(person_hash) = 32)
);
create index join_claims_fan on join_claims (fan_subscription_id) where (fan_subscription_id is not null);
create index join_claims_of_viewer on join_claims (viewer_id) where (viewer_id is not null);
create index join_claims_token on join_claims (token_id);
-- row-level security: enabled, forced
create policy system on join_claims for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on join_claims to app_system;

create table join_tokens (
  id uuid not null,
  kind text not null,
  token_hash bytea not null,
  label text not null,
  days integer,
  max_claims integer not null,
  claims_count integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  creator_id uuid,
  tier_id uuid,
  created_by uuid,
  note text not null default '',
  constraint join_tokens_pkey primary key (id),
  constraint join_tokens_token_hash_key unique (token_hash),
  constraint join_tokens_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint join_tokens_tier_id_fkey foreign key (tier_id) references fan_tiers(id) on delete cascade,
  constraint join_tokens_check check ((claims_count >= 0) and (claims_count <= max_claims)),
  constraint join_tokens_days_check check (days in (1, 3, 7, 14, 30, 90, 180, 360)),
  constraint join_tokens_kind_check check (kind in ('creator_comp', 'fan_pass')),
  constraint join_tokens_label_check check ((length(label) >= 1) and (length(label) <= 80)),
  constraint join_tokens_max_claims_check check ((max_claims >= 1) and (max_claims <= 100)),
  constraint join_tokens_note_check check (length(note) <= 500),
  constraint join_tokens_pass_check check ((kind = 'fan_pass') = ((creator_id is not null) and (tier_id is not null))),
  constraint join_tokens_pass_days_check check ((kind <> 'fan_pass') or (days is not null))
);
create index join_tokens_creator on join_tokens (creator_id, created_at desc, id desc) where (creator_id is not null);
create index join_tokens_expiry on join_tokens (expires_at);
create index join_tokens_tier on join_tokens (tier_id) where (tier_id is not null);
-- row-level security: enabled, forced
create policy own on join_tokens for select to app_user using (creator_id = (select app_uid()));
create policy system on join_tokens for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on join_tokens to app_system;
grant select on join_tokens to app_user;

create table junk_plans (
  kind text not null,
  id uuid not null,
  state text not null,
  asked_by uuid,
  asked_at timestamptz not null,
  ids text[],
  hash text not null default '',
  found integer not null default 0,
  size_bytes bigint,
  more integer not null default 0,
  fewer integer not null default 0,
  done integer not null default 0,
  cleaned integer not null default 0,
  cancelled_at timestamptz,
  seen_at timestamptz not null,
  constraint junk_plans_pkey primary key (kind),
  constraint junk_plans_asked_by_fkey foreign key (asked_by) references users(id) on delete set null,
  constraint junk_plans_state_check check (state in ('looking', 'found', 'cleaning', 'cleaned', 'cancelled', 'failed'))
);
create index junk_plans_asked_by on junk_plans (asked_by);
-- row-level security: enabled, forced
create policy system on junk_plans for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on junk_plans to app_system;

create table key_leases (
  id uuid not null,
  grant_id uuid not null,
  session_id uuid,
  creator_id uuid not null,
  media_id uuid not null,
  rendition text not null,
  pack_id uuid not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  constraint key_leases_pkey primary key (id),
  constraint key_leases_grant_id_fkey foreign key (grant_id) references grants(id) on delete cascade,
  constraint key_leases_session_id_fkey foreign key (session_id) references viewer_sessions(id) on delete cascade
);
create index key_leases_expiry on key_leases (expires_at);
create index key_leases_grant on key_leases (grant_id);
create index key_leases_session on key_leases (session_id, issued_at desc);
-- row-level security: enabled, forced
create policy system on key_leases for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on key_leases to app_system;

create table known_browsers (
  secret_hash bytea not null,
  user_id uuid not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  constraint known_browsers_pkey primary key (secret_hash, user_id),
  constraint known_browsers_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index known_browsers_last on known_browsers (last_at);
create index known_browsers_user on known_browsers (user_id);
-- row-level security: enabled, forced
create policy system on known_browsers for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on known_browsers to app_system;

create table lapses (
  user_id uuid not null,
  since timestamptz not null,
  told smallint not null default 0,
  warned_at timestamptz,
  removed_at timestamptz,
  constraint lapses_pkey primary key (user_id),
  constraint lapses_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint lapses_told_check check ((told >= 0) and (told <= 4))
);
-- row-level security: enabled, forced
create policy system on lapses for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on lapses to app_system;

create table lead_captures (
  id uuid not null,
  vid text,
  email text not null,
  source text not null,
  page_path text,
  utm jsonb,
  referrer text,
  user_agent text,
  user_id uuid,
  created_at timestamptz not null,
  constraint lead_captures_pkey primary key (id),
  constraint lead_captures_user_id_fkey foreign key (user_id) references users(id) on delete set null
);
create index lead_captures_user on lead_captures (user_id);
create index lead_captures_vid on lead_captures (vid);
-- row-level security: enabled, forced
create policy system on lead_captures for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on lead_captures to app_system;

create table ledger_accounts (
  id bigint not null generated always as identity,
  provider text not null,
  livemode boolean not null,
  key text not null,
  kind text not null,
  owner_user_id uuid,
  currency text not null,
  constraint ledger_accounts_pkey primary key (id),
  constraint ledger_accounts_id_currency_provider_livemode_key unique (id, currency, provider, livemode),
  constraint ledger_accounts_key_currency_provider_livemode_key unique (key, currency, provider, livemode),
  constraint credits_stand_apart check ((currency = 'crd') = (key ~~ 'credits:%')),
  constraint ledger_accounts_currency_check check (currency ~ '^[a-z]{3}$'),
  constraint ledger_accounts_kind_check check (kind in ('asset', 'liability', 'income', 'expense', 'clearing', 'external'))
);
create index ledger_accounts_owner on ledger_accounts (owner_user_id);
create trigger append_only before delete or update on ledger_accounts for each row execute function refuse_change();
create trigger append_only_whole before truncate on ledger_accounts for each statement execute function refuse_change();
-- row-level security: enabled, forced
create policy own on ledger_accounts for all to app_user using (owner_user_id = (select app_uid())) with check ((owner_user_id = (select app_uid())) and true);
create policy system on ledger_accounts for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant insert, select on ledger_accounts to app_system;
grant select on ledger_accounts to app_user;

create table ledger_days (
  owner_user_id uuid not null,
  provider text not null,
  livemode boolean not null,
  currency text not null,
  day date not null,
  kind text not null,
  sold text not null,
  owed_cents bigint not null,
  held_cents bigint not null,
  constraint ledger_days_pkey primary key (owner_user_id, provider, livemode, currency, day, kind, sold)
);
-- row-level security: enabled, forced
create policy own on ledger_days for all to app_user using (owner_user_id = (select app_uid())) with check ((owner_user_id = (select app_uid())) and true);
create policy system on ledger_days for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on ledger_days to app_system;
grant select on ledger_days to app_user;

create table ledger_entries (
  id bigint not null generated always as identity,
  transaction_id bigint not null,
  account_id bigint not null,
  provider text not null,
  livemode boolean not null,
  owner_user_id uuid,
  currency text not null,
  amount_cents bigint not null,
  constraint ledger_entries_pkey primary key (id),
  constraint ledger_entries_account_id_currency_provider_livemode_fkey foreign key (account_id, currency, provider, livemode) references ledger_accounts(id, currency, provider, livemode),
  constraint ledger_entries_transaction_id_currency_provider_livemode_fkey foreign key (transaction_id, currency, provider, livemode) references ledger_transactions(id, currency, provider, livemode),
  constraint ledger_entries_amount_cents_check check (amount_cents <> 0)
);
create index ledger_entries_account on ledger_entries (account_id, id);
create index ledger_entries_owner on ledger_entries (owner_user_id, id);
create index ledger_entries_transaction on ledger_entries (transaction_id);
create trigger append_only before delete or update on ledger_entries for each row execute function refuse_change();
create trigger append_only_whole before truncate on ledger_entries for each statement execute function refuse_change();
create constraint trigger balanced after insert on ledger_entries deferrable initially deferred for each row execute function check_ledger_balance();
-- row-level security: enabled, forced
create policy own on ledger_entries for all to app_user using (owner_user_id = (select app_uid())) with check ((owner_user_id = (select app_uid())) and true);
create policy system on ledger_entries for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant insert, select on ledger_entries to app_system;
grant select on ledger_entries to app_user;

create table ledger_transactions (
  id bigint not null generated always as identity,
  provider text not null,
  livemode boolean not null,
  source_key text not null,
  kind text not null,
  occurred_at timestamptz not null,
  available_at timestamptz not null,
  currency text not null,
  charge_id text,
  owner_user_id uuid,
  sold text,
  owed_cents bigint not null default 0,
  held_cents bigint not null default 0,
  constraint ledger_transactions_pkey primary key (id),
  constraint ledger_transactions_id_currency_provider_livemode_key unique (id, currency, provider, livemode),
  constraint ledger_transactions_source_key_provider_livemode_key unique (source_key, provider, livemode),
  constraint credits_move_apart check ((currency = 'crd') = (source_key ~~ 'credits:%'))
);
create index ledger_transactions_at on ledger_transactions (occurred_at);
create index ledger_transactions_charge on ledger_transactions (charge_id);
create index ledger_transactions_dispute_fees on ledger_transactions (owner_user_id, occurred_at desc, id desc) where (kind = 'dispute_fee');
create index ledger_transactions_owed on ledger_transactions (owner_user_id, occurred_at, id) include (provider, livemode, currency, kind, sold, owed_cents) where (owed_cents <> 0);
create index ledger_transactions_paid_out on ledger_transactions (owner_user_id, occurred_at desc, id desc) where ((kind = 'payout') and (owed_cents <> 0));
create index ledger_transactions_settling on ledger_transactions (owner_user_id, available_at) include (provider, livemode, currency, kind, held_cents) where (held_cents <> 0);
create trigger append_only before delete or update on ledger_transactions for each row execute function refuse_change();
create trigger append_only_whole before truncate on ledger_transactions for each statement execute function refuse_change();
create trigger day_kept after insert on ledger_transactions for each row when (((new.owner_user_id is not null) and (new.currency <> 'crd'))) execute function add_to_ledger_day();
-- row-level security: enabled, forced
create policy own on ledger_transactions for select to app_user using (owner_user_id = (select app_uid()));
create policy system on ledger_transactions for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant insert, select on ledger_transactions to app_system;
grant select on ledger_transactions to app_user;

create table link_acts (
  id uuid not null,
  link_id uuid not null,
  user_id uuid not null,
  act text not null,
  at timestamptz not null,
  constraint link_acts_pkey primary key (id),
  constraint link_acts_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade,
  constraint link_acts_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint link_acts_act_check check (act in ('revoked', 'revived', 'shared'))
);
create index link_acts_of_creator on link_acts (user_id);
create index link_acts_of_link on link_acts (link_id, at desc);
-- row-level security: enabled, forced
create policy own on link_acts for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on link_acts for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on link_acts to app_system;
grant insert, select on link_acts to app_user;

create table link_albums (
  link_id uuid not null,
  album_id uuid not null,
  user_id uuid not null,
  position integer not null default 0,
  constraint link_albums_pkey primary key (link_id, album_id),
  constraint link_albums_album_id_fkey foreign key (album_id) references albums(id) on delete cascade,
  constraint link_albums_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade,
  constraint link_albums_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index link_albums_album on link_albums (album_id);
create index link_albums_user on link_albums (user_id);
-- row-level security: enabled, forced
create policy own on link_albums for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and (exists (select 1 from magic_links l where (l.id = link_albums.link_id))) and (exists (select 1 from albums a where (a.id = link_albums.album_id))));
create policy system on link_albums for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on link_albums to app_system;
grant delete, insert, select, update on link_albums to app_user;

create table link_days (
  creator_id uuid not null,
  day date not null,
  link_id uuid not null,
  opens integer not null default 0,
  views integer not null default 0,
  watch_ms bigint not null default 0,
  constraint link_days_pkey primary key (creator_id, day, link_id),
  constraint link_days_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade
);
-- row-level security: enabled, forced
create policy own on link_days for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on link_days for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on link_days to app_system;
grant select on link_days to app_user;

create table link_months (
  creator_id uuid not null,
  month date not null,
  link_id uuid not null,
  opens integer not null default 0,
  views integer not null default 0,
  watch_ms bigint not null default 0,
  constraint link_months_pkey primary key (creator_id, month, link_id),
  constraint link_months_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade
);
-- row-level security: enabled, forced
create policy own on link_months for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on link_months for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on link_months to app_system;
grant select on link_months to app_user;

create table link_policy_log (
  link_id uuid not null,
  version integer not null,
  user_id uuid not null,
  policy jsonb not null,
  expires_at timestamptz,
  by_user uuid,
  at timestamptz not null,
  password_version integer,
  constraint link_policy_log_pkey primary key (link_id, version),
  constraint link_policy_log_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade,
  constraint link_policy_log_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index link_policy_log_user on link_policy_log (user_id);
-- row-level security: enabled, forced
create policy own on link_policy_log for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and (exists (select 1 from magic_links l where (l.id = link_policy_log.link_id))));
create policy system on link_policy_log for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on link_policy_log to app_system;
grant insert, select on link_policy_log to app_user;

create table link_presets (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  policy jsonb not null,
  ends_after_hours integer,
  is_default boolean not null default false,
  created_at timestamptz not null,
  constraint link_presets_pkey primary key (id),
  constraint link_presets_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint link_presets_ends_after_hours_check check ((ends_after_hours >= 1) and (ends_after_hours <= 8760)),
  constraint link_presets_name_check check ((length(name) >= 1) and (length(name) <= 40))
);
create unique index link_presets_default on link_presets (user_id) where is_default;
create index link_presets_of_creator on link_presets (user_id, created_at, id);
-- row-level security: enabled, forced
create policy own on link_presets for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on link_presets for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on link_presets to app_system;
grant delete, insert, select, update on link_presets to app_user;

create table link_reminders (
  id uuid not null,
  link_id uuid not null,
  browser_hash bytea not null,
  email text not null,
  opens_at timestamptz not null,
  look_at timestamptz not null,
  created_at timestamptz not null,
  constraint link_reminders_pkey primary key (id),
  constraint link_reminders_link_id_email_key unique (link_id, email),
  constraint link_reminders_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade,
  constraint link_reminders_browser_hash_check check (length(browser_hash) = 32),
  constraint link_reminders_email_check check (length(email) <= 254)
);
create index link_reminders_browser on link_reminders (link_id, browser_hash);
create index link_reminders_due on link_reminders (look_at);
-- row-level security: enabled, forced
create policy system on link_reminders for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on link_reminders to app_system;

create table link_seen (
  creator_id uuid not null,
  link_id uuid not null,
  viewer_id uuid not null,
  last_at timestamptz not null,
  last_view_at timestamptz,
  constraint link_seen_pkey primary key (creator_id, link_id, viewer_id),
  constraint link_seen_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade
);
create index link_seen_old on link_seen (last_at);
create index link_seen_span on link_seen (creator_id, last_at);
-- row-level security: enabled, forced
create policy own on link_seen for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on link_seen for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on link_seen to app_system;
grant select on link_seen to app_user;

create table link_viewers (
  id uuid not null,
  link_id uuid not null,
  viewer_id uuid not null,
  creator_id uuid not null,
  first_admitted_at timestamptz not null,
  first_view_at timestamptz,
  last_visit_at timestamptz,
  watched_ms bigint not null default 0,
  visits integer not null default 0,
  policy_version integer not null,
  blocked_at timestamptz,
  is_own boolean not null default false,
  lent_ms bigint not null default 0,
  constraint link_viewers_pkey primary key (id),
  constraint link_viewers_link_id_viewer_id_key unique (link_id, viewer_id),
  constraint link_viewers_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint link_viewers_id_fkey foreign key (id) references grants(id) on delete cascade,
  constraint link_viewers_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade,
  constraint link_viewers_pseudonym foreign key (creator_id, viewer_id) references viewer_pseudonyms(creator_id, viewer_id) on delete cascade,
  constraint link_viewers_viewer_id_fkey foreign key (viewer_id) references viewers(id) on delete cascade
);
create index link_viewers_blocked on link_viewers (blocked_at) where (blocked_at is not null);
create index link_viewers_creator on link_viewers (creator_id, last_visit_at desc);
create index link_viewers_viewer on link_viewers (viewer_id);
-- row-level security: enabled, forced
create policy own on link_viewers for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on link_viewers for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on link_viewers to app_system;
grant select on link_viewers to app_user;

create table magic_links (
  id uuid not null,
  user_id uuid not null,
  link_name text not null default '',
  slug text not null,
  recipient_name text,
  recipient_channel text,
  note text not null default '',
  welcome_text text not null default '',
  policy jsonb not null,
  policy_version integer not null default 1,
  password_hash text,
  password_version integer not null default 0,
  preset_id uuid,
  is_revoked boolean not null default false,
  revoked_at timestamptz,
  revoked_reason text,
  undo_until timestamptz,
  expires_at timestamptz,
  views_count integer not null default 0,
  unique_viewers integer not null default 0,
  watch_ms bigint not null default 0,
  earnings_cents bigint not null default 0,
  first_opened_at timestamptz,
  last_opened_at timestamptz,
  notify text not null default 'first',
  taken_down_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null default now(),
  places_taken integer not null default 0,
  opens_told_until timestamptz,
  search_text text not null default '',
  expiry_told_for timestamptz,
  shared_at timestamptz,
  batch_id uuid,
  constraint magic_links_pkey primary key (id),
  constraint magic_links_slug_key unique (slug),
  constraint magic_links_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint magic_links_link_name_check check (length(link_name) <= 80),
  constraint magic_links_note_check check (length(note) <= 200),
  constraint magic_links_notify_check check (notify in ('first', 'every', 'none')),
  constraint magic_links_recipient_channel_check check (recipient_channel in ('whatsapp', 'instagram', 'email', 'sms', 'other')),
  constraint magic_links_recipient_name_check check (length(recipient_name) <= 60),
  constraint magic_links_revoked_reason_check check (revoked_reason in ('manual', 'panic', 'auto_security', 'admin', 'album_deleted', 'account_deleted')),
  constraint magic_links_slug_check check ((length(slug) >= 12) and (length(slug) <= 80)),
  constraint magic_links_welcome_text_check check (length(welcome_text) <= 300)
);
create index magic_links_batch on magic_links (batch_id) where (batch_id is not null);
create index magic_links_every on magic_links (opens_told_until) where (notify = 'every');
create index magic_links_expiring on magic_links (expires_at) where (not is_revoked);
create index magic_links_untold on magic_links (first_opened_at) where ((opens_told_until is null) and (first_opened_at is not null));
create index magic_links_user on magic_links (user_id, created_at desc, id desc);
create trigger touch before update on magic_links for each row execute function touch_updated_at();
-- row-level security: enabled, forced
create policy own on magic_links for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on magic_links for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on magic_links to app_system;
grant insert, select on magic_links to app_user;
grant update (link_name, recipient_name, recipient_channel, note, welcome_text, policy, policy_version, password_hash, password_version, preset_id, is_revoked, revoked_at, revoked_reason, undo_until, expires_at, notify, search_text, shared_at) on magic_links to app_user;

create table mail_keys (
  id uuid not null,
  used_for text not null,
  key_id text not null,
  wrapped bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint mail_keys_pkey primary key (id),
  constraint mail_keys_used_for_check check (used_for in ('suppressed', 'unsubscribe'))
);
-- row-level security: enabled, forced
create policy system on mail_keys for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on mail_keys to app_system;

create table mail_outbox (
  id uuid not null,
  user_id uuid,
  template text not null,
  recipient text not null,
  subject text not null,
  body_text text not null,
  state text not null default 'queued',
  tries integer not null default 0,
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz,
  parts jsonb,
  kind text not null default 'account',
  is_named_by_link boolean not null default false,
  life_seconds integer not null default 432000,
  expires_at timestamptz not null default (now() + '5 days'::interval),
  next_try_at timestamptz not null default now(),
  is_seen boolean not null default false,
  is_urgent boolean not null default false,
  is_failure_ours boolean not null default false,
  constraint mail_outbox_pkey primary key (id),
  constraint mail_outbox_kind_check check (kind in ('account', 'notice')),
  constraint mail_outbox_life_seconds_check check (life_seconds > 0),
  constraint mail_outbox_state_check check (state in ('queued', 'sent', 'delivered', 'bounced', 'complained', 'suppressed', 'given_up'))
);
create index mail_outbox_given_up on mail_outbox (expires_at) where ((state = 'given_up') and (not is_seen));
create index mail_outbox_queue on mail_outbox (next_try_at) where (state = 'queued');
create index mail_outbox_recent on mail_outbox (created_at desc);
create index mail_outbox_recipient on mail_outbox (recipient, created_at desc);
-- row-level security: enabled, forced
create policy system on mail_outbox for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on mail_outbox to app_system;

create table mail_suppressions (
  address_hash bytea not null,
  reason text not null,
  at timestamptz not null,
  constraint mail_suppressions_pkey primary key (address_hash, reason),
  constraint mail_suppressions_reason_check check (reason in ('bounced', 'complained', 'unsubscribed'))
);
-- row-level security: enabled, forced
create policy system on mail_suppressions for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on mail_suppressions to app_system;

create table media (
  id uuid not null,
  creator_id uuid not null,
  kind text not null,
  state text not null,
  original_name text not null,
  mime_sniffed text,
  bytes bigint not null,
  sha256 bytea not null,
  original_path text,
  phash text,
  phash_mirrored text,
  width integer,
  height integer,
  duration_ms integer,
  has_audio boolean,
  fps real,
  hdr boolean,
  taken_at timestamptz,
  thumbhash bytea,
  teaser bytea,
  removed text[] not null default '{}',
  fail_code text,
  attempts integer not null default 0,
  created_at timestamptz not null,
  ready_at timestamptz,
  deleted_at timestamptz,
  updated_at timestamptz not null default now(),
  fail_text text,
  progress smallint,
  cell_seconds integer,
  has_failed boolean not null default false,
  marked_tiles smallint,
  timeouts smallint not null default 0,
  retry_at timestamptz,
  deaths smallint not null default 0,
  constraint media_pkey primary key (id),
  constraint media_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint media_deaths_check check (deaths >= 0),
  constraint media_fail_code_check check (fail_code in ('UNSUPPORTED', 'CORRUPT', 'TOO_LONG', 'TOO_BIG', 'NO_VIDEO_TRACK', 'TIMEOUT', 'UNMARKED', 'HASH_MATCH', 'NO_VIDEO_TIME')),
  constraint media_kind_check check (kind in ('photo', 'video')),
  constraint media_marked_tiles_check check ((marked_tiles >= 0) and (marked_tiles <= 512)),
  constraint media_progress_check check ((progress >= 0) and (progress <= 100)),
  constraint media_state_check check (state in ('uploaded', 'scanning', 'processing', 'ready', 'failed', 'quarantined', 'deleted')),
  constraint media_timeouts_check check (timeouts >= 0)
);
create index media_creator on media (creator_id, created_at desc, id desc);
create index media_deleted on media (deleted_at) where (deleted_at is not null);
create index media_failed on media (created_at desc) where ((state = 'failed') and (deleted_at is null));
create index media_same on media (creator_id, sha256);
create index media_sha256 on media (sha256);
create index media_timeouts on media (creator_id) where ((timeouts > 0) and (deleted_at is null));
create index media_without_time on media (creator_id) where ((fail_code = 'NO_VIDEO_TIME') and (deleted_at is null));
create trigger touch before update on media for each row execute function touch_updated_at();
-- row-level security: enabled, forced
create policy own on media for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on media for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on media to app_system;
grant select on media to app_user;
grant update (state, fail_code, deleted_at, timeouts) on media to app_user;

create table media_keys (
  media_id uuid not null,
  creator_id uuid not null,
  key_id text not null,
  wrapped bytea not null,
  constraint media_keys_pkey primary key (media_id),
  constraint media_keys_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint media_keys_media_id_fkey foreign key (media_id) references media(id) on delete cascade
);
create index media_keys_creator on media_keys (creator_id);
-- row-level security: enabled, forced
create policy system on media_keys for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on media_keys to app_system;

create table media_matches (
  media_id uuid not null,
  source text not null,
  report_id uuid,
  is_exact boolean not null,
  matched_at timestamptz not null,
  notified_at timestamptz,
  released_at timestamptz,
  constraint media_matches_pkey primary key (media_id),
  constraint media_matches_media_id_fkey foreign key (media_id) references media(id) on delete cascade,
  constraint media_matches_report_id_fkey foreign key (report_id) references reports(id) on delete set null,
  constraint media_matches_source_check check (source in ('report', 'list'))
);
create index media_matches_report on media_matches (report_id) where (report_id is not null);
create index media_matches_waiting on media_matches (matched_at) where (released_at is null);
-- row-level security: enabled, forced
create policy system on media_matches for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on media_matches to app_system;

create table notice_settings (
  user_id uuid not null,
  channels jsonb not null default '{}',
  quiet_from smallint,
  quiet_until smallint,
  constraint notice_settings_pkey primary key (user_id),
  constraint notice_settings_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint notice_settings_check check ((quiet_from is null) = (quiet_until is null)),
  constraint notice_settings_check1 check (quiet_from <> quiet_until),
  constraint notice_settings_quiet_from_check check ((quiet_from >= 0) and (quiet_from <= 1439)),
  constraint notice_settings_quiet_until_check check ((quiet_until >= 0) and (quiet_until <= 1439))
);
-- row-level security: enabled, forced
create policy own on notice_settings for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on notice_settings for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on notice_settings to app_system;
grant delete, insert, select, update on notice_settings to app_user;

create table notices (
  id uuid not null,
  user_id uuid not null,
  event text not null,
  about jsonb not null,
  created_at timestamptz not null,
  due_at timestamptz not null,
  told_at timestamptz,
  told_by text,
  constraint notices_pkey primary key (id),
  constraint notices_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint notices_check check ((told_at is null) = (told_by is null)),
  constraint notices_told_by_check check (told_by in ('push', 'mail', 'off'))
);
create index notices_due on notices (due_at) where (told_at is null);
create index notices_of on notices (user_id, told_at);
create index notices_old on notices (created_at);
-- row-level security: enabled, forced
create policy system on notices for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on notices to app_system;

create table packs (
  id uuid not null,
  creator_id uuid not null,
  media_id uuid not null,
  rendition text not null,
  mark text not null,
  path text not null,
  bytes bigint not null,
  sha256 bytea not null,
  width integer,
  height integer,
  columns integer,
  rows integer,
  segments integer,
  created_at timestamptz not null,
  durations_us integer[],
  constraint packs_pkey primary key (id),
  constraint packs_media_id_rendition_key unique (media_id, rendition),
  constraint packs_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint packs_media_id_fkey foreign key (media_id) references media(id) on delete cascade,
  constraint packs_mark_check check (mark in ('AB', '-')),
  constraint packs_rendition_check check (rendition in ('p2048', 'thumb512', 'poster', 'posterthumb', 'storyboard', 'v720', 'v480', 'audio'))
);
create index packs_creator on packs (creator_id);
-- row-level security: enabled, forced
create policy own on packs for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on packs for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on packs to app_system;
grant select on packs to app_user;

create table pass_codes (
  id uuid not null,
  token_id uuid not null,
  browser_hash bytea not null,
  email text not null,
  code_hash bytea not null,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint pass_codes_pkey primary key (id),
  constraint pass_codes_token_id_browser_hash_key unique (token_id, browser_hash),
  constraint pass_codes_token_id_fkey foreign key (token_id) references join_tokens(id) on delete cascade,
  constraint pass_codes_browser_hash_check check (length(browser_hash) = 32),
  constraint pass_codes_code_hash_check check (length(code_hash) = 32),
  constraint pass_codes_email_check check (length(email) <= 254)
);
create index pass_codes_expiry on pass_codes (expires_at);
-- row-level security: enabled, forced
create policy system on pass_codes for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on pass_codes to app_system;

create table passkeys (
  id uuid not null,
  user_id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  last_challenge_at timestamptz not null,
  constraint passkeys_pkey primary key (id),
  constraint passkeys_credential_id_key unique (credential_id),
  constraint passkeys_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint passkeys_credential_id_check check (length(credential_id) <= 1400),
  constraint passkeys_name_check check (length(name) <= 40)
);
create index passkeys_of_user on passkeys (user_id, created_at);
-- row-level security: enabled, forced
create policy system on passkeys for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on passkeys to app_system;

create unlogged table password_proofs (
  link_id uuid not null,
  secret_hash bytea not null,
  code_hash text not null,
  code_tries integer not null,
  sent_at timestamptz not null,
  proven_at timestamptz,
  tries_left integer not null,
  constraint password_proofs_pkey primary key (link_id, secret_hash),
  constraint password_proofs_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade,
  constraint password_proofs_secret_hash_check check (length(secret_hash) = 32)
);
create index password_proofs_sent on password_proofs (sent_at);
-- row-level security: enabled, forced
create policy system on password_proofs for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on password_proofs to app_system;

create unlogged table password_tries (
  link_id uuid not null,
  network text not null,
  password_version integer not null,
  wrong integer not null,
  free_at timestamptz not null,
  constraint password_tries_pkey primary key (link_id, network),
  constraint password_tries_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade
);
create index password_tries_free on password_tries (free_at);
-- row-level security: enabled, forced
create policy system on password_tries for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on password_tries to app_system;

create table paused_queues (
  queue text not null,
  paused_by uuid,
  paused_at timestamptz not null default now(),
  constraint paused_queues_pkey primary key (queue),
  constraint paused_queues_paused_by_fkey foreign key (paused_by) references users(id) on delete set null,
  constraint paused_queues_queue_check check ((length(queue) >= 1) and (length(queue) <= 100))
);
create index paused_queues_by on paused_queues (paused_by);
-- row-level security: enabled, forced
create policy system on paused_queues for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on paused_queues to app_system;

create table payment_failures (
  provider text not null,
  livemode boolean not null,
  charge_id text not null,
  order_id uuid not null,
  link_id uuid,
  viewer_id uuid,
  card text,
  at timestamptz not null,
  constraint payment_failures_pkey primary key (provider, charge_id),
  constraint payment_failures_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade,
  constraint payment_failures_order_id_fkey foreign key (order_id) references checkout_orders(id) on delete cascade,
  constraint payment_failures_viewer_id_fkey foreign key (viewer_id) references viewers(id) on delete cascade
);
create index payment_failures_at on payment_failures (at);
create index payment_failures_link on payment_failures (link_id, at desc);
create index payment_failures_order on payment_failures (order_id);
create index payment_failures_viewer on payment_failures (viewer_id, at desc);
-- row-level security: enabled, forced
create policy system on payment_failures for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on payment_failures to app_system;

create table payout_appeals (
  id uuid not null,
  user_id uuid not null,
  provider text not null,
  livemode boolean not null,
  text text not null,
  created_at timestamptz not null,
  answer text,
  is_granted boolean,
  answered_at timestamptz,
  constraint payout_appeals_pkey primary key (id),
  constraint payout_appeals_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint payout_appeals_answer_check check (length(answer) <= 1000),
  constraint payout_appeals_check check (((answered_at is null) = (answer is null)) and ((answered_at is null) = (is_granted is null))),
  constraint payout_appeals_text_check check ((length(text) >= 1) and (length(text) <= 1000))
);
create unique index payout_appeals_open on payout_appeals (user_id, provider, livemode) where (answered_at is null);
create index payout_appeals_user on payout_appeals (user_id, created_at desc);
-- row-level security: enabled, forced
create policy own on payout_appeals for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on payout_appeals for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on payout_appeals to app_system;
grant select on payout_appeals to app_user;

create table payout_holds (
  id uuid not null,
  user_id uuid not null,
  provider text not null,
  livemode boolean not null,
  code text not null,
  note text not null default '',
  by_kind text not null,
  since timestamptz not null,
  expected_at timestamptz,
  ended_at timestamptz,
  ended_by text,
  constraint payout_holds_pkey primary key (id),
  constraint payout_holds_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint payout_holds_by_kind_check check (by_kind in ('system', 'staff')),
  constraint payout_holds_check check ((ended_at is null) = (ended_by is null)),
  constraint payout_holds_code_check check (code in ('ID_MISSING', 'BANK_REJECTED', 'REVIEW_NEW', 'DISPUTE_RATE', 'REPORT_OPEN', 'SANCTIONS')),
  constraint payout_holds_ended_by_check check (ended_by in ('system', 'staff')),
  constraint payout_holds_note_check check (length(note) <= 500)
);
create unique index payout_holds_open on payout_holds (user_id, provider, livemode, code) where (ended_at is null);
create index payout_holds_since on payout_holds (since) where (ended_at is null);
-- row-level security: enabled, forced
create policy own on payout_holds for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on payout_holds for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on payout_holds to app_system;
grant select on payout_holds to app_user;

create table payouts (
  id uuid not null,
  user_id uuid,
  provider text not null,
  livemode boolean not null,
  acct_id text not null,
  amount_cents bigint not null,
  currency text not null,
  state text not null default 'created',
  day date,
  payout_id text,
  failure text,
  tries integer not null default 0,
  next_try_at timestamptz,
  created_at timestamptz not null,
  arrives_at timestamptz,
  settled_at timestamptz,
  constraint payouts_pkey primary key (id),
  constraint payouts_acct_id_provider_livemode_day_key unique (acct_id, provider, livemode, day),
  constraint payouts_provider_payout_id_key unique (provider, payout_id),
  constraint payouts_user_id_fkey foreign key (user_id) references users(id) on delete set null,
  constraint payouts_amount_cents_check check (amount_cents > 0),
  constraint payouts_currency_check check (currency ~ '^[a-z]{3}$'),
  constraint payouts_state_check check (state in ('created', 'in_transit', 'paid', 'failed', 'canceled'))
);
create unique index payouts_created on payouts (acct_id, provider, livemode) where (state = 'created');
create index payouts_open on payouts (created_at) where (state in ('created', 'in_transit'));
create index payouts_user on payouts (user_id, created_at desc);
-- row-level security: enabled, forced
create policy own on payouts for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on payouts for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on payouts to app_system;
grant select on payouts to app_user;

create table people_erasures (
  id uuid not null,
  email text,
  viewer_id uuid,
  asked_by text not null,
  asked_at timestamptz not null,
  erase_at timestamptz not null,
  state text not null default 'waiting',
  kept_at timestamptz,
  erasing_since timestamptz,
  done_at timestamptz,
  subjects jsonb,
  certificate jsonb,
  constraint people_erasures_pkey primary key (id),
  constraint people_erasures_asked_by_check check (asked_by in ('viewer', 'operator')),
  constraint people_erasures_check check ((state in ('erasing', 'done')) = (subjects is not null)),
  constraint people_erasures_check1 check ((state = 'done') = (certificate is not null)),
  constraint people_erasures_email_check check (length(email) <= 254),
  constraint people_erasures_state_check check (state in ('waiting', 'kept', 'erasing', 'done'))
);
create unique index people_erasures_address on people_erasures (email) where (state in ('waiting', 'erasing'));
create index people_erasures_due on people_erasures (erase_at) where (state in ('waiting', 'erasing'));
create unique index people_erasures_viewer on people_erasures (viewer_id) where (state in ('waiting', 'erasing'));
-- row-level security: enabled, forced
create policy system on people_erasures for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on people_erasures to app_system;

create table performance_metrics (
  id uuid not null,
  user_id uuid not null,
  metric text not null,
  value float8 not null,
  rating text not null,
  metric_id text not null,
  navigation_type text not null,
  url text not null,
  measured_at timestamptz not null,
  created_at timestamptz not null,
  constraint performance_metrics_pkey primary key (id),
  constraint performance_metrics_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint performance_metrics_metric_check check (metric in ('LCP', 'FCP', 'CLS', 'INP', 'TTFB')),
  constraint performance_metrics_metric_id_check check (length(metric_id) <= 60),
  constraint performance_metrics_navigation_type_check check (length(navigation_type) <= 30),
  constraint performance_metrics_rating_check check (rating in ('good', 'needs-improvement', 'poor')),
  constraint performance_metrics_url_check check (length(url) <= 200),
  constraint performance_metrics_value_check check (value >= (0)::float8)
);
create index performance_metrics_created on performance_metrics (created_at);
create index performance_metrics_user on performance_metrics (user_id);
-- row-level security: enabled, forced
create policy system on performance_metrics for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on performance_metrics to app_system;

create table place_reservations (
  order_id uuid not null,
  link_id uuid not null,
  viewer_id uuid not null,
  network text,
  constraint place_reservations_pkey primary key (order_id),
  constraint place_reservations_link_id_viewer_id_key unique (link_id, viewer_id),
  constraint place_reservations_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade,
  constraint place_reservations_order_id_fkey foreign key (order_id) references checkout_orders(id) on delete cascade,
  constraint place_reservations_viewer_id_fkey foreign key (viewer_id) references viewers(id) on delete cascade
);
create index place_reservations_viewer on place_reservations (viewer_id);
-- row-level security: enabled, forced
create policy system on place_reservations for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on place_reservations to app_system;

create table plan_checkouts (
  id uuid not null,
  provider text not null,
  livemode boolean not null,
  user_id uuid,
  email text not null,
  state text not null default 'open',
  trial_days integer,
  amount_cents bigint not null,
  currency text not null,
  session_id text,
  subscription_id text,
  browser_hash bytea,
  mailed_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  asking_hash bytea,
  ended_at timestamptz,
  ended_why text,
  constraint plan_checkouts_pkey primary key (id),
  constraint plan_checkouts_provider_session_id_key unique (provider, session_id),
  constraint plan_checkouts_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint plan_checkouts_amount_cents_check check (amount_cents >= 0),
  constraint plan_checkouts_currency_check check (currency ~ '^[a-z]{3}$'),
  constraint plan_checkouts_email_check check (length(email) <= 254),
  constraint plan_checkouts_ended check ((ended_at is null) = (ended_why is null)),
  constraint plan_checkouts_provider_check check (provider in ('sandbox', 'stripe')),
  constraint plan_checkouts_state_check check (state in ('open', 'complete', 'expired', 'failed')),
  constraint plan_checkouts_trial_days_check check (trial_days > 0)
);
create index plan_checkouts_email on plan_checkouts (email) where (user_id is null);
create index plan_checkouts_open on plan_checkouts (created_at) where (state = 'open');
create unique index plan_checkouts_open_of_user on plan_checkouts (user_id, provider, livemode) where (state = 'open');
create index plan_checkouts_subscription on plan_checkouts (subscription_id);
create index plan_checkouts_unmailed on plan_checkouts (created_at) where ((state = 'complete') and (user_id is null) and (mailed_at is null));
create index plan_checkouts_user on plan_checkouts (user_id);
-- row-level security: enabled, forced
create policy system on plan_checkouts for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on plan_checkouts to app_system;

create table plan_invoices (
  invoice_id text not null,
  plan_id uuid not null,
  number text,
  status text not null,
  amount_cents bigint not null,
  paid_cents bigint not null,
  refunded_cents bigint not null default 0,
  currency text not null,
  created_at timestamptz not null,
  paid_at timestamptz,
  next_attempt_at timestamptz,
  page_url text,
  receipt_at timestamptz,
  refund_told_at timestamptz,
  constraint plan_invoices_pkey primary key (invoice_id),
  constraint plan_invoices_plan_id_fkey foreign key (plan_id) references platform_subscriptions(id) on delete cascade
);
create index plan_invoices_plan on plan_invoices (plan_id, created_at desc);
-- row-level security: enabled, forced
create policy system on plan_invoices for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on plan_invoices to app_system;

create table plan_pauses (
  plan_id uuid not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  resumed_at timestamptz,
  constraint plan_pauses_pkey primary key (plan_id, starts_at),
  constraint plan_pauses_plan_id_fkey foreign key (plan_id) references platform_subscriptions(id) on delete cascade
);
-- row-level security: enabled, forced
create policy system on plan_pauses for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on plan_pauses to app_system;

create table plan_refunds (
  user_id uuid not null,
  plan_id uuid not null,
  invoice_id text not null,
  amount_cents bigint not null,
  currency text not null,
  settled_at timestamptz,
  created_at timestamptz not null,
  constraint plan_refunds_pkey primary key (user_id),
  constraint plan_refunds_plan_id_fkey foreign key (plan_id) references platform_subscriptions(id) on delete cascade,
  constraint plan_refunds_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index plan_refunds_plan on plan_refunds (plan_id);
create index plan_refunds_unsettled on plan_refunds (created_at) where (settled_at is null);
-- row-level security: enabled, forced
create policy system on plan_refunds for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on plan_refunds to app_system;

create table platform_subscriptions (
  id uuid not null,
  provider text not null,
  livemode boolean not null,
  user_id uuid,
  checkout_id uuid,
  subscription_id text not null,
  customer_id text not null,
  status text not null,
  is_paused boolean not null default false,
  amount_cents bigint not null,
  currency text not null,
  trial_end timestamptz,
  period_start timestamptz,
  period_end timestamptz,
  cancel_at_period_end boolean not null default false,
  ended_at timestamptz,
  first_paid_at timestamptz,
  money_back_at timestamptz,
  card_brand text,
  card_last4 text,
  reminded_of timestamptz,
  synced_at timestamptz not null,
  synced_version integer not null default 1,
  created_at timestamptz not null,
  paused_from timestamptz,
  paused_until timestamptz,
  resume_told_of timestamptz,
  anchored_at timestamptz,
  draft_invoice_id text,
  draft_since timestamptz,
  finalization_error text,
  finalize_at timestamptz,
  constraint platform_subscriptions_pkey primary key (id),
  constraint platform_subscriptions_provider_subscription_id_key unique (provider, subscription_id),
  constraint platform_subscriptions_checkout_id_fkey foreign key (checkout_id) references plan_checkouts(id) on delete set null,
  constraint platform_subscriptions_user_id_fkey foreign key (user_id) references users(id) on delete set null,
  constraint platform_subscriptions_provider_check check (provider in ('sandbox', 'stripe'))
);
create index platform_subscriptions_checkout on platform_subscriptions (checkout_id);
create index platform_subscriptions_drafted on platform_subscriptions (draft_since) where (draft_since is not null);
create index platform_subscriptions_running on platform_subscriptions (period_end) where (ended_at is null);
create index platform_subscriptions_user on platform_subscriptions (user_id, created_at desc);
-- row-level security: enabled, forced
create policy own on platform_subscriptions for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on platform_subscriptions for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on platform_subscriptions to app_system;
grant select on platform_subscriptions to app_user;

create table provider_calls (
  provider text not null,
  livemode boolean not null,
  name text not null,
  refusals integer not null default 0,
  asked_at timestamptz,
  constraint provider_calls_pkey primary key (provider, livemode, name),
  constraint provider_calls_name_check check (length(name) <= 200),
  constraint provider_calls_refusals_check check (refusals >= 0)
);
-- row-level security: enabled, forced
create policy system on provider_calls for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on provider_calls to app_system;

create table push_keys (
  id uuid not null,
  public_key bytea not null,
  key_id text not null,
  wrapped bytea not null,
  created_at timestamptz not null,
  constraint push_keys_pkey primary key (id),
  constraint push_keys_id_check check (id = '00000000-0000-0000-0000-000000000001'::uuid),
  constraint push_keys_public_key_check check (octet_length(public_key) = 65)
);
-- row-level security: enabled, forced
create policy system on push_keys for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on push_keys to app_system;

create table push_subscriptions (
  id uuid not null,
  user_id uuid not null,
  session_id uuid not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null,
  constraint push_subscriptions_pkey primary key (id),
  constraint push_subscriptions_endpoint_key unique (endpoint),
  constraint push_subscriptions_session_id_fkey foreign key (session_id) references auth_sessions(id) on delete cascade,
  constraint push_subscriptions_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint push_subscriptions_endpoint_check check (length(endpoint) <= 1000)
);
create index push_subscriptions_of on push_subscriptions (user_id, created_at);
create index push_subscriptions_session on push_subscriptions (session_id);
-- row-level security: enabled, forced
create policy own on push_subscriptions for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on push_subscriptions for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on push_subscriptions to app_system;
grant delete, select on push_subscriptions to app_user;

create unlogged table rate_limits (
  key text not null,
  window_start timestamptz not null,
  count integer not null,
  constraint rate_limits_pkey primary key (key, window_start)
);
-- row-level security: enabled, forced
create policy system on rate_limits for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on rate_limits to app_system;

create table receipts (
  order_id uuid not null,
  number bigint not null default (1000000000 + (floor((random() * ('9000000000'::bigint)::float8)))::bigint),
  at timestamptz not null,
  constraint receipts_pkey primary key (order_id),
  constraint receipts_number_key unique (number),
  constraint receipts_order_id_fkey foreign key (order_id) references checkout_orders(id) on delete cascade
);
-- row-level security: enabled, forced
create policy system on receipts for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on receipts to app_system;

create table reconciliation_runs (
  id uuid not null,
  provider text not null,
  livemode boolean not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  checked integer not null default 0,
  drift jsonb not null default '[]',
  faults jsonb not null default '[]',
  constraint reconciliation_runs_pkey primary key (id)
);
create index reconciliation_runs_at on reconciliation_runs (started_at desc);
-- row-level security: enabled, forced
create policy system on reconciliation_runs for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on reconciliation_runs to app_system;

create table refund_requests (
  id uuid not null,
  order_id uuid not null,
  creator_id uuid,
  kind text not null,
  reason text not null,
  text text not null default '',
  state text not null,
  answer text not null default '',
  answered_by text,
  created_at timestamptz not null,
  answer_until timestamptz,
  answered_at timestamptz,
  constraint refund_requests_pkey primary key (id),
  constraint refund_requests_order_id_kind_key unique (order_id, kind),
  constraint refund_requests_creator_id_fkey foreign key (creator_id) references users(id) on delete set null,
  constraint refund_requests_order_id_fkey foreign key (order_id) references checkout_orders(id) on delete cascade,
  constraint refund_requests_answer_check check (length(answer) <= 500),
  constraint refund_requests_answered_by_check check (answered_by in ('creator', 'staff', 'system')),
  constraint refund_requests_check check (((answered_at is null) = (state in ('creator', 'operator'))) and ((answered_at is null) = (answered_by is null))),
  constraint refund_requests_kind_check check (kind in ('refund', 'complaint')),
  constraint refund_requests_reason_check check (reason in ('duplicate', 'fraudulent', 'not_delivered', 'satisfaction', 'customer_request')),
  constraint refund_requests_state_check check (state in ('creator', 'operator', 'refunded', 'declined')),
  constraint refund_requests_text_check check (length(text) <= 500)
);
create index refund_requests_creator on refund_requests (creator_id, created_at desc);
create index refund_requests_waiting on refund_requests (answer_until) where (state in ('creator', 'operator'));
-- row-level security: enabled, forced
create policy own on refund_requests for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on refund_requests for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on refund_requests to app_system;
grant select on refund_requests to app_user;

create table refunds (
  id uuid not null,
  order_id uuid not null,
  creator_id uuid,
  amount_cents bigint not null,
  reason text not null,
  note text not null default '',
  by_kind text not null,
  by_user uuid,
  state text not null default 'pending',
  last_error text,
  settled_at timestamptz,
  created_at timestamptz not null,
  tries integer not null default 0,
  next_try_at timestamptz,
  until_cents bigint,
  given_transfer_id text,
  given_cents bigint,
  given_reversal_id text,
  cause text,
  is_told boolean not null default false,
  given_refused_at timestamptz,
  constraint refunds_pkey primary key (id),
  constraint refunds_creator_id_fkey foreign key (creator_id) references users(id) on delete set null,
  constraint refunds_order_id_fkey foreign key (order_id) references checkout_orders(id) on delete cascade,
  constraint refunds_amount_cents_check check (amount_cents > 0),
  constraint refunds_by_kind_check check (by_kind in ('creator', 'staff', 'system')),
  constraint refunds_cause_check check (cause in ('link_ended', 'viewer_ended', 'album_deleted', 'creator_left', 'suspended', 'late_payment', 'paid_after_end')),
  constraint refunds_given_cents_check check (given_cents >= 0),
  constraint refunds_note_check check (length(note) <= 500),
  constraint refunds_reason_check check (reason in ('duplicate', 'fraudulent', 'customer_request', 'access_revoked', 'not_delivered', 'satisfaction', 'dispute_prevention', 'platform_decision')),
  constraint refunds_state_check check (state in ('pending', 'succeeded', 'failed'))
);
create index refunds_creator on refunds (creator_id);
create index refunds_failed on refunds (created_at) where (state = 'failed');
create index refunds_given on refunds (created_at) where ((given_transfer_id is not null) and (given_reversal_id is null));
create index refunds_order on refunds (order_id);
create unique index refunds_pending on refunds (order_id) where (state = 'pending');
-- row-level security: enabled, forced
create policy own on refunds for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on refunds for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on refunds to app_system;
grant select on refunds to app_user;

create table report_answers (
  id uuid not null,
  report_id uuid not null,
  creator_id uuid not null,
  kind text not null,
  text text not null,
  name text,
  postal_address text,
  created_at timestamptz not null,
  decide_by timestamptz,
  decided_at timestamptz,
  outcome text,
  reason text,
  decided_by text,
  constraint report_answers_pkey primary key (id),
  constraint report_answers_report_id_kind_key unique (report_id, kind),
  constraint report_answers_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint report_answers_report_id_fkey foreign key (report_id) references reports(id) on delete cascade,
  constraint report_answers_check check ((decided_at is null) = (outcome is null)),
  constraint report_answers_check1 check ((kind = 'counter_notice') = (postal_address is not null)),
  constraint report_answers_check2 check ((kind = 'answer') or (decide_by is not null)),
  constraint report_answers_decided_by_check check (length(decided_by) <= 80),
  constraint report_answers_kind_check check (kind in ('answer', 'appeal', 'counter_notice')),
  constraint report_answers_name_check check (length(name) <= 80),
  constraint report_answers_outcome_check check (outcome in ('kept', 'restored')),
  constraint report_answers_postal_address_check check (length(postal_address) <= 500),
  constraint report_answers_reason_check check (length(reason) <= 1000),
  constraint report_answers_text_check check (length(text) <= 4000)
);
create index report_answers_creator on report_answers (creator_id);
create index report_answers_waiting on report_answers (decide_by) where ((decided_at is null) and (decide_by is not null));
-- row-level security: enabled, forced
create policy system on report_answers for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on report_answers to app_system;

create table report_targets (
  report_id uuid not null,
  link_id uuid,
  album_id uuid,
  constraint report_targets_report_id_link_id_album_id_key unique nulls not distinct (report_id, link_id, album_id),
  constraint report_targets_album_id_fkey foreign key (album_id) references albums(id) on delete cascade,
  constraint report_targets_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade,
  constraint report_targets_report_id_fkey foreign key (report_id) references reports(id) on delete cascade,
  constraint report_targets_check check ((link_id is null) <> (album_id is null))
);
create index report_targets_album on report_targets (album_id) where (album_id is not null);
create index report_targets_link on report_targets (link_id) where (link_id is not null);
-- row-level security: enabled, forced
create policy system on report_targets for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on report_targets to app_system;

create table reports (
  id uuid not null,
  number integer not null,
  kind text not null,
  state text not null,
  target text not null,
  link_id uuid,
  creator_id uuid,
  details text not null,
  on_behalf text not null,
  name text not null,
  email text not null,
  network text not null,
  created_at timestamptz not null,
  decide_by timestamptz not null,
  decided_at timestamptz,
  reason text,
  acknowledged_at timestamptz,
  decided_by text,
  reminded_at timestamptz,
  overdue_at timestamptz,
  hidden_at_once boolean not null default false,
  constraint reports_pkey primary key (id),
  constraint reports_number_key unique (number),
  constraint reports_creator_id_fkey foreign key (creator_id) references users(id) on delete set null,
  constraint reports_link_id_fkey foreign key (link_id) references magic_links(id) on delete set null,
  constraint reports_check check ((decided_at is not null) = (state in ('removed', 'rejected', 'appealed'))),
  constraint reports_decided_by_check check (length(decided_by) <= 80),
  constraint reports_details_check check (length(details) <= 4000),
  constraint reports_email_check check (length(email) <= 254),
  constraint reports_kind_check check (kind in ('intimate', 'minor', 'copyright', 'impersonation', 'other')),
  constraint reports_name_check check (length(name) <= 80),
  constraint reports_number_check check ((number >= 10000000) and (number <= 99999999)),
  constraint reports_on_behalf_check check (on_behalf in ('self', 'other')),
  constraint reports_reason_check check (length(reason) <= 1000),
  constraint reports_state_check check (state in ('received', 'hidden', 'removed', 'rejected', 'appealed')),
  constraint reports_target_check check (length(target) <= 500)
);
create index reports_acknowledged on reports (email, acknowledged_at) where (acknowledged_at is not null);
create index reports_by_address on reports (email, created_at desc);
create index reports_creator on reports (creator_id);
create index reports_decided on reports (decided_at) where (decided_at is not null);
create index reports_link on reports (link_id);
create index reports_network on reports (network, decided_at) where (state = 'rejected');
create index reports_of_creator on reports (creator_id, created_at desc) where (creator_id is not null);
create index reports_waiting on reports (decide_by) where (decided_at is null);
-- row-level security: enabled, forced
create policy system on reports for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on reports to app_system;

create table request_codes (
  id uuid not null,
  creator_id uuid not null,
  browser_hash bytea not null,
  email text not null,
  code_hash bytea not null,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint request_codes_pkey primary key (id),
  constraint request_codes_creator_id_browser_hash_key unique (creator_id, browser_hash),
  constraint request_codes_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint request_codes_browser_hash_check check (length(browser_hash) = 32),
  constraint request_codes_email_check check (length(email) <= 254)
);
create index request_codes_expires on request_codes (expires_at);
-- row-level security: enabled, forced
create policy system on request_codes for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on request_codes to app_system;

create table request_settings (
  user_id uuid not null,
  is_on boolean not null default false,
  least_cents bigint not null default 1000,
  price_list jsonb not null default '[]',
  days integer not null default 14,
  wont_do text not null default '',
  most_open integer not null default 10,
  constraint request_settings_pkey primary key (user_id),
  constraint request_settings_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint request_settings_days_check check ((days >= 1) and (days <= 30)),
  constraint request_settings_least_cents_check check ((least_cents >= 1000) and (least_cents <= 50000)),
  constraint request_settings_most_open_check check ((most_open >= 1) and (most_open <= 10)),
  constraint request_settings_wont_do_check check (length(wont_do) <= 500)
);
-- row-level security: enabled, forced
create policy own on request_settings for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on request_settings for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on request_settings to app_system;
grant delete, insert, select, update on request_settings to app_user;

create table robot_opens (
  link_id uuid not null,
  day date not null,
  creator_id uuid not null,
  opens integer not null,
  last_at timestamptz not null,
  constraint robot_opens_pkey primary key (link_id, day),
  constraint robot_opens_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint robot_opens_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade
);
create index robot_opens_creator on robot_opens (creator_id, last_at);
create index robot_opens_day on robot_opens (day);
-- row-level security: enabled, forced
create policy own on robot_opens for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on robot_opens for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on robot_opens to app_system;
grant select on robot_opens to app_user;

create table sandbox_attempts (
  id bigint not null generated always as identity,
  event_id text not null,
  at timestamptz not null,
  status integer not null,
  error text,
  constraint sandbox_attempts_pkey primary key (id),
  constraint sandbox_attempts_event_id_fkey foreign key (event_id) references sandbox_events(id) on delete cascade
);
create index sandbox_attempts_of on sandbox_attempts (event_id, id desc);
-- row-level security: enabled, forced
create policy system on sandbox_attempts for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on sandbox_attempts to app_system;

create table sandbox_events (
  id text not null,
  seq bigint not null generated always as identity,
  hook text not null,
  body jsonb not null,
  attempts integer not null default 0,
  created_at timestamptz not null,
  next_at timestamptz not null,
  delivered_at timestamptz,
  last_status integer,
  constraint sandbox_events_pkey primary key (id)
);
create index sandbox_events_due on sandbox_events (next_at) where (delivered_at is null);
create index sandbox_events_seq on sandbox_events (seq desc);
-- row-level security: enabled, forced
create policy system on sandbox_events for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on sandbox_events to app_system;

create table sandbox_idempotency (
  key text not null,
  request text not null,
  status integer not null,
  body jsonb not null,
  answered_at bigint not null default (extract(epoch from now()))::bigint,
  constraint sandbox_idempotency_pkey primary key (key)
);
-- row-level security: enabled, forced
create policy system on sandbox_idempotency for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on sandbox_idempotency to app_system;

create table sandbox_keys (
  the_one boolean not null default true,
  secret_key text not null,
  secrets jsonb not null,
  constraint sandbox_keys_pkey primary key (the_one),
  constraint sandbox_keys_the_one_check check (the_one)
);
-- row-level security: enabled, forced
create policy system on sandbox_keys for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on sandbox_keys to app_system;

create table sandbox_objects (
  id text not null,
  account text not null,
  type text not null,
  seq bigint not null generated always as identity,
  body jsonb not null,
  hidden jsonb not null default '{}',
  constraint sandbox_objects_pkey primary key (id)
);
create index sandbox_objects_due on sandbox_objects ((((hidden ->> 'due_at'))::bigint)) where (type = 'subscription');
create index sandbox_objects_hidden on sandbox_objects using gin (hidden jsonb_path_ops) where (type = 'invoice');
create index sandbox_objects_in_transit on sandbox_objects ((((body ->> 'arrival_date'))::bigint)) where ((type = 'payout') and ((body ->> 'status') = 'in_transit'));
create index sandbox_objects_listed on sandbox_objects (type, account, seq desc);
create index sandbox_objects_open on sandbox_objects ((((body ->> 'expires_at'))::bigint)) where ((type = 'checkout.session') and ((body ->> 'status') = 'open'));
create index sandbox_objects_reported on sandbox_objects ((((hidden ->> 'report_at'))::bigint)) where ((type = 'charge') and ((hidden ->> 'report_at') is not null));
create index sandbox_objects_unanswered on sandbox_objects (((((body -> 'evidence_details') ->> 'due_by'))::bigint)) where ((type = 'dispute') and ((body ->> 'status') = 'needs_response'));
-- row-level security: enabled, forced
create policy system on sandbox_objects for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on sandbox_objects to app_system;

create table sandbox_settings (
  the_one boolean not null default true,
  duplicates boolean not null default false,
  reorders boolean not null default false,
  delays boolean not null default false,
  drops boolean not null default false,
  answers_500 boolean not null default false,
  clock_offset_ms bigint not null default 0,
  constraint sandbox_settings_pkey primary key (the_one),
  constraint sandbox_settings_the_one_check check (the_one)
);
-- row-level security: enabled, forced
create policy system on sandbox_settings for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on sandbox_settings to app_system;

create table sandbox_use (
  is_only boolean not null default true,
  since timestamptz not null,
  constraint sandbox_use_pkey primary key (is_only),
  constraint sandbox_use_is_only_check check (is_only)
);
-- row-level security: enabled, forced
create policy system on sandbox_use for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on sandbox_use to app_system;

create table schema_migrations (
  name text not null,
  sha256 text not null,
  applied_at timestamptz not null default now(),
  constraint schema_migrations_pkey primary key (name)
);
-- row-level security: OFF, NOT FORCED

create table second_factors (
  user_id uuid not null,
  key_id text not null,
  wrapped bytea not null,
  last_step bigint not null default 0,
  created_at timestamptz not null,
  constraint second_factors_pkey primary key (user_id),
  constraint second_factors_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
-- row-level security: enabled, forced
create policy system on second_factors for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on second_factors to app_system;

create table security_events (
  id uuid not null,
  creator_id uuid not null,
  magic_link_id uuid not null,
  session_id uuid,
  viewer_id uuid,
  event_type text not null,
  risk text not null,
  source text not null,
  count integer not null default 1,
  timestamp timestamptz not null,
  last_at timestamptz not null,
  device_info jsonb not null default '{}',
  details jsonb not null default '{}',
  is_rest boolean not null default false,
  handled_at timestamptz,
  action_taken text,
  is_automatic boolean not null default false,
  undone_at timestamptz,
  acted_before jsonb not null default '[]',
  constraint security_events_pkey primary key (id),
  constraint security_events_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint security_events_magic_link_id_fkey foreign key (magic_link_id) references magic_links(id) on delete cascade,
  constraint security_events_session_id_fkey foreign key (session_id) references viewer_sessions(id) on delete set null,
  constraint security_events_viewer_id_fkey foreign key (viewer_id) references viewers(id) on delete set null,
  constraint security_events_acted_before_check check (length((acted_before)::text) <= 400),
  constraint security_events_action_taken_check check (action_taken in ('warned', 'closed', 'revoked', 'blocked', 'ignored')),
  constraint security_events_check check ((action_taken is null) = (handled_at is null)),
  constraint security_events_check1 check ((undone_at is null) or (action_taken is not null)),
  constraint security_events_count_check check (count > 0),
  constraint security_events_details_check check (length((details)::text) <= 400),
  constraint security_events_device_info_check check (length((device_info)::text) <= 200),
  constraint security_events_event_type_check check (event_type ~ '^[a-z_]{1,40}$'),
  constraint security_events_risk_check check (risk in ('high', 'medium', 'low')),
  constraint security_events_source_check check (source in ('client', 'server'))
);
create index security_events_creator on security_events (creator_id, "timestamp" desc, id desc);
create index security_events_link on security_events (magic_link_id, "timestamp" desc, id desc);
create index security_events_rest on security_events (magic_link_id, event_type, last_at desc) where (session_id is null);
create index security_events_risk on security_events (creator_id, risk, "timestamp" desc, id desc);
create index security_events_viewer on security_events (viewer_id, magic_link_id, last_at desc) where (viewer_id is not null);
create index security_events_visit on security_events (session_id, event_type, last_at desc) where (session_id is not null);
-- row-level security: enabled, forced
create policy own on security_events for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on security_events for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on security_events to app_system;
grant select on security_events to app_user;

create table segment_files (
  pack_id uuid not null,
  slot smallint not null,
  creator_id uuid not null,
  path text not null,
  bytes bigint not null,
  sha256 bytea not null,
  lengths integer[] not null,
  constraint segment_files_pkey primary key (pack_id, slot),
  constraint segment_files_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint segment_files_pack_id_fkey foreign key (pack_id) references packs(id) on delete cascade,
  constraint segment_files_slot_check check (slot in (0, 1))
);
create index segment_files_creator on segment_files (creator_id);
-- row-level security: enabled, forced
create policy own on segment_files for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on segment_files for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on segment_files to app_system;
grant select on segment_files to app_user;

create unlogged table sign_in_tries (
  key text not null,
  wrong integer not null,
  last_at timestamptz not null,
  constraint sign_in_tries_pkey primary key (key),
  constraint sign_in_tries_wrong_check check (wrong > 0)
);
create index sign_in_tries_last on sign_in_tries (last_at);
-- row-level security: enabled, forced
create policy system on sign_in_tries for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on sign_in_tries to app_system;

create table storage_extras (
  id uuid not null,
  user_id uuid not null,
  bytes bigint not null,
  created_at timestamptz not null,
  ends_at timestamptz not null,
  constraint storage_extras_pkey primary key (id),
  constraint storage_extras_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint storage_extras_bytes_check check (bytes > 0),
  constraint storage_extras_check check (ends_at > created_at)
);
create index storage_extras_user on storage_extras (user_id, ends_at);
-- row-level security: enabled, forced
create policy own on storage_extras for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on storage_extras for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on storage_extras to app_system;
grant select on storage_extras to app_user;

create table support_answers (
  id uuid not null,
  request_id uuid not null,
  admin_id uuid,
  text text not null,
  created_at timestamptz not null,
  constraint support_answers_pkey primary key (id),
  constraint support_answers_admin_id_fkey foreign key (admin_id) references users(id) on delete set null,
  constraint support_answers_request_id_fkey foreign key (request_id) references support_requests(id) on delete cascade,
  constraint support_answers_text_check check (length(text) <= 4000)
);
create index support_answers_admin on support_answers (admin_id);
create index support_answers_request on support_answers (request_id);
-- row-level security: enabled, forced
create policy system on support_answers for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on support_answers to app_system;

create table support_replies (
  id uuid not null,
  request_id uuid not null,
  text text not null,
  created_at timestamptz not null,
  constraint support_replies_pkey primary key (id),
  constraint support_replies_request_id_fkey foreign key (request_id) references support_requests(id) on delete cascade,
  constraint support_replies_text_check check (length(text) <= 4000)
);
create index support_replies_request on support_replies (request_id, created_at);
-- row-level security: enabled, forced
create policy system on support_replies for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on support_replies to app_system;

create table support_requests (
  id uuid not null,
  number integer not null,
  name text not null,
  email text not null,
  subject text not null,
  message text not null,
  user_id uuid,
  status text not null default 'pending',
  created_at timestamptz not null,
  acknowledged_at timestamptz,
  constraint support_requests_pkey primary key (id),
  constraint support_requests_number_key unique (number),
  constraint support_requests_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint support_requests_email_check check (length(email) <= 254),
  constraint support_requests_message_check check (length(message) <= 4000),
  constraint support_requests_name_check check (length(name) <= 80),
  constraint support_requests_number_check check ((number >= 10000000) and (number <= 99999999)),
  constraint support_requests_status_check check (status in ('pending', 'open', 'answered', 'closed')),
  constraint support_requests_subject_check check (length(subject) <= 120)
);
create index support_requests_acknowledged on support_requests (email, acknowledged_at) where (acknowledged_at is not null);
create index support_requests_at on support_requests (created_at);
create index support_requests_email on support_requests (email);
create index support_requests_of on support_requests (user_id);
-- row-level security: enabled, forced
create policy system on support_requests for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on support_requests to app_system;

create table tip_settings (
  user_id uuid not null,
  presets_cents integer[] not null,
  thanks text not null,
  constraint tip_settings_pkey primary key (user_id),
  constraint tip_settings_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint tip_settings_presets_cents_check check (cardinality(presets_cents) = 4),
  constraint tip_settings_thanks_check check (length(thanks) <= 200)
);
-- row-level security: enabled, forced
create policy own on tip_settings for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on tip_settings for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on tip_settings to app_system;
grant delete, insert, select, update on tip_settings to app_user;

create table trace_keys (
  trace_id uuid not null,
  creator_id uuid not null,
  key_id text not null,
  wrapped bytea not null,
  constraint trace_keys_pkey primary key (trace_id),
  constraint trace_keys_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint trace_keys_trace_id_fkey foreign key (trace_id) references traces(id) on delete cascade
);
create index trace_keys_creator on trace_keys (creator_id);
-- row-level security: enabled, forced
create policy system on trace_keys for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on trace_keys to app_system;

create table trace_log (
  seq bigint not null generated always as identity,
  at timestamptz not null,
  creator_id uuid not null,
  trace_id uuid not null,
  kind text not null,
  sha256 bytea not null,
  outcome text,
  media_ids uuid[] not null default '{}'::uuid[],
  compared integer,
  issued integer,
  hypotheses bigint,
  named_ids uuid[] not null default '{}'::uuid[],
  disclosed_ids uuid[] not null default '{}'::uuid[],
  constraint trace_log_pkey primary key (seq),
  constraint trace_log_trace_id_kind_key unique (trace_id, kind),
  constraint trace_log_kind_check check (kind in ('uploaded', 'read', 'disclosed')),
  constraint trace_log_outcome_check check (outcome in ('traced', 'probable', 'inconclusive', 'no_match'))
);
create index trace_log_creator on trace_log (creator_id, seq);
create trigger append_only before delete or update on trace_log for each row execute function refuse_change();
create trigger append_only_whole before truncate on trace_log for each statement execute function refuse_change();
-- row-level security: enabled, forced
create policy own on trace_log for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on trace_log for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant insert, select on trace_log to app_system;
grant select on trace_log to app_user;

create table traces (
  id uuid not null,
  creator_id uuid not null,
  is_everywhere boolean not null,
  album_id uuid,
  with_id uuid,
  state text not null,
  outcome text,
  fail_code text,
  attempts integer not null default 0,
  done integer not null default 0,
  total integer not null default 0,
  place jsonb,
  place_at timestamptz,
  bytes bigint not null,
  sha256 bytea not null,
  has_preview boolean not null default false,
  result jsonb,
  created_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz not null,
  updated_at timestamptz not null default now(),
  timeouts smallint not null default 0,
  retry_at timestamptz,
  constraint traces_pkey primary key (id),
  constraint traces_album_id_fkey foreign key (album_id) references albums(id) on delete set null,
  constraint traces_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint traces_check check ((state = 'done') = (outcome is not null)),
  constraint traces_check1 check ((state = 'failed') = (fail_code is not null)),
  constraint traces_check2 check ((not is_everywhere) or (album_id is null)),
  constraint traces_fail_code_check check (fail_code in ('UNSUPPORTED', 'CORRUPT', 'TOO_BIG', 'TIMEOUT', 'NO_ENGINE')),
  constraint traces_outcome_check check (outcome in ('traced', 'probable', 'inconclusive', 'no_match')),
  constraint traces_state_check check (state in ('queued', 'matching', 'reading', 'done', 'failed')),
  constraint traces_timeouts_check check (timeouts >= 0)
);
create index traces_album on traces (album_id);
create index traces_creator on traces (creator_id, created_at desc, id desc);
create index traces_expiry on traces (expires_at);
create index traces_timeouts on traces (creator_id) where (timeouts > 0);
create trigger touch before update on traces for each row execute function touch_updated_at();
-- row-level security: enabled, forced
create policy own on traces for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on traces for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on traces to app_system;
grant select on traces to app_user;

create table trial_redemptions (
  address_hash bytea not null,
  user_id uuid,
  at timestamptz not null,
  constraint trial_redemptions_pkey primary key (address_hash),
  constraint trial_redemptions_user_id_fkey foreign key (user_id) references users(id) on delete set null
);
create index trial_redemptions_user on trial_redemptions (user_id);
-- row-level security: enabled, forced
create policy system on trial_redemptions for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on trial_redemptions to app_system;

create table uploads (
  id uuid not null,
  creator_id uuid not null,
  album_id uuid,
  media_id uuid,
  original_name text not null,
  bytes bigint not null,
  state text not null default 'open',
  fail_code text,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  number integer not null default 0,
  constraint uploads_pkey primary key (id),
  constraint uploads_album_id_fkey foreign key (album_id) references albums(id) on delete set null,
  constraint uploads_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint uploads_media_id_fkey foreign key (media_id) references media(id) on delete set null,
  constraint uploads_state_check check (state in ('open', 'complete', 'aborted', 'expired'))
);
create index uploads_album on uploads (album_id);
create index uploads_creator on uploads (creator_id, created_at desc);
create index uploads_expiry on uploads (expires_at) where (state = 'open');
create index uploads_media on uploads (media_id);
-- row-level security: enabled, forced
create policy own on uploads for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on uploads for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on uploads to app_system;
grant delete, insert, select, update on uploads to app_user;

create table user_devices (
  user_id uuid not null,
  device text not null,
  country text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  constraint user_devices_pkey primary key (user_id, device, country),
  constraint user_devices_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
-- row-level security: enabled, forced
create policy own on user_devices for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on user_devices for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on user_devices to app_system;
grant select on user_devices to app_user;

create table user_entitlements (
  user_id uuid not null,
  suite_user boolean not null default false,
  is_beta boolean not null default false,
  constraint user_entitlements_pkey primary key (user_id),
  constraint user_entitlements_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
-- row-level security: enabled, forced
create policy own on user_entitlements for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on user_entitlements for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on user_entitlements to app_system;
grant select on user_entitlements to app_user;

create table user_roles (
  user_id uuid not null,
  role text not null,
  scopes text[] not null default '{owner}',
  constraint user_roles_pkey primary key (user_id, role),
  constraint user_roles_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint user_roles_role_check check (role = 'admin'),
  constraint user_roles_scopes_check check ((scopes <@ array['support', 'moderation', 'finance', 'owner']) and ((cardinality(scopes) >= 1) and (cardinality(scopes) <= 4)))
);
-- row-level security: enabled, forced
create policy own on user_roles for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on user_roles for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on user_roles to app_system;
grant select on user_roles to app_user;

create table user_stripe_accounts (
  user_id uuid not null,
  provider text not null,
  livemode boolean not null,
  acct_id text not null,
  status text not null default 'pending',
  full_status text not null default 'pending',
  missing jsonb not null default '[]',
  connected_at timestamptz,
  synced_at timestamptz,
  synced_version integer not null default 0,
  created_at timestamptz not null,
  tries integer not null default 0,
  next_try_at timestamptz,
  payout_interval text not null default 'daily',
  schedule_stopped_at timestamptz,
  settlement_days smallint not null default 7,
  country text not null,
  constraint user_stripe_accounts_pkey primary key (user_id, provider, livemode),
  constraint user_stripe_accounts_provider_acct_id_key unique (provider, acct_id),
  constraint user_stripe_accounts_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint user_stripe_accounts_country_check check (country ~ '^[A-Z]{2}$'),
  constraint user_stripe_accounts_full_status_check check (full_status in ('pending', 'complete', 'restricted', 'closed')),
  constraint user_stripe_accounts_payout_interval_check check (payout_interval in ('daily', 'weekly', 'monthly', 'manual')),
  constraint user_stripe_accounts_provider_check check (provider in ('sandbox', 'stripe')),
  constraint user_stripe_accounts_settlement_days_check check ((settlement_days >= 0) and (settlement_days <= 31)),
  constraint user_stripe_accounts_status_check check (status in ('pending', 'complete'))
);
-- row-level security: enabled, forced
create policy own on user_stripe_accounts for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on user_stripe_accounts for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on user_stripe_accounts to app_system;
grant select on user_stripe_accounts to app_user;

create table users (
  id uuid not null,
  email text not null,
  email_verified boolean not null default false,
  email_verified_at timestamptz,
  display_name text not null default '',
  image text,
  handle text,
  bio text,
  birth_date date,
  country text,
  time_zone text not null default 'UTC',
  locale text not null default 'en',
  marketing_consent_at timestamptz,
  tos_version text,
  tos_at timestamptz,
  content_policy_version text,
  content_policy_at timestamptz,
  age_confirmed_at timestamptz,
  erase_at timestamptz,
  status text not null default 'pending',
  setup_step text not null default 'password',
  is_free_user boolean not null default false,
  free_until timestamptz,
  subscription_status text,
  trial_ends_at timestamptz,
  two_factor text not null default 'none',
  home_screen_wizard_completed boolean not null default false,
  storage_used_bytes bigint not null default 0,
  risk_level text not null default 'normal',
  last_login_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null default now(),
  avatar_name text,
  avatar_small bytea,
  has_public_page boolean not null default false,
  storage_told smallint not null default 0,
  trial_told smallint not null default 0,
  home_screen_wizard_skips integer not null default 0,
  home_screen_wizard_skipped_at timestamptz,
  plan_paused_until timestamptz,
  plan_is_paused boolean not null default false,
  constraint users_pkey primary key (id),
  constraint users_email_key unique (email),
  constraint users_handle_key unique (handle),
  constraint users_avatar_name_check check (avatar_name ~ '^[A-Za-z0-9]{32}$'),
  constraint users_avatar_small_check check (octet_length(avatar_small) <= 3072),
  constraint users_avatar_whole check ((avatar_name is null) = (avatar_small is null)),
  constraint users_bio_check check (length(bio) <= 300),
  constraint users_country_check check (country ~ '^[A-Z]{2}$'),
  constraint users_email_check check (email = lower(email)),
  constraint users_handle_check check (handle ~ '^[a-z0-9_]{3,30}$'),
  constraint users_setup_step_check check (setup_step in ('password', 'profile', 'consent', 'first_step', 'done')),
  constraint users_status_check check (status in ('pending', 'active', 'limited', 'suspended', 'deleting', 'deleted')),
  constraint users_storage_told_check check (storage_told in (0, 80, 95)),
  constraint users_storage_used_bytes_check check (storage_used_bytes >= 0),
  constraint users_trial_told_check check (trial_told in (0, 1, 2)),
  constraint users_two_factor_check check (two_factor in ('none', 'totp', 'passkey'))
);
create index users_erase on users (erase_at) where (erase_at is not null);
create index users_storage on users (storage_used_bytes);
create index users_storage_told on users (storage_told) where (storage_told > 0);
create index users_trial_untold on users (trial_ends_at) where (trial_told < 2);
create index users_unconfirmed on users (created_at) where (not email_verified);
create trigger touch before update on users for each row execute function touch_updated_at();
-- row-level security: enabled, forced
create policy own on users for all to app_user using (id = (select app_uid())) with check ((id = (select app_uid())) and true);
create policy system on users for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on users to app_system;
grant select on users to app_user;
grant update (display_name, handle, bio, country, time_zone, locale, marketing_consent_at, home_screen_wizard_completed, avatar_name, avatar_small, has_public_page, home_screen_wizard_skips, home_screen_wizard_skipped_at) on users to app_user;

create table video_time (
  user_id uuid not null,
  month date not null,
  used_seconds integer not null default 0,
  extra_seconds bigint not null default 0,
  constraint video_time_pkey primary key (user_id),
  constraint video_time_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint video_time_extra_seconds_check check (extra_seconds >= 0),
  constraint video_time_used_seconds_check check (used_seconds >= 0)
);
-- row-level security: enabled, forced
create policy own on video_time for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on video_time for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on video_time to app_system;
grant select on video_time to app_user;

create table video_time_taken (
  media_id uuid not null,
  user_id uuid not null,
  month date not null,
  free_seconds integer not null,
  extra_seconds integer not null,
  constraint video_time_taken_pkey primary key (media_id),
  constraint video_time_taken_media_id_fkey foreign key (media_id) references media(id) on delete cascade,
  constraint video_time_taken_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint video_time_taken_extra_seconds_check check (extra_seconds >= 0),
  constraint video_time_taken_free_seconds_check check (free_seconds >= 0)
);
create index video_time_taken_user on video_time_taken (user_id);
-- row-level security: enabled, forced
create policy own on video_time_taken for all to app_user using (user_id = (select app_uid())) with check ((user_id = (select app_uid())) and true);
create policy system on video_time_taken for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on video_time_taken to app_system;
grant select on video_time_taken to app_user;

create table view_events (
  xid xid8 not null default pg_current_xact_id(),
  kind text not null,
  creator_id uuid not null,
  link_id uuid not null,
  visit_id uuid not null,
  viewer_id uuid not null,
  album_id uuid,
  media_id uuid,
  country text,
  at timestamptz not null,
  ms_visible integer not null default 0,
  first_of_viewer boolean,
  played int4multirange,
  film_seconds integer,
  epoch integer not null generated always as ((((((xid)::text)::bigint - 1) >> 12))::integer) stored,
  constraint view_events_kind_check check (kind in ('open', 'view', 'look'))
);
create index view_events_creator on view_events (creator_id, epoch);
create index view_events_epoch on view_events (epoch);
create index view_events_moved on view_events (at) where (xid = '0'::xid8);
create index view_events_visit on view_events (visit_id);
-- row-level security: enabled, forced
create policy own on view_events for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on view_events for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on view_events to app_system;
grant select on view_events to app_user;

create table viewer_aliases (
  creator_id uuid not null,
  viewer_id uuid not null,
  alias text not null,
  constraint viewer_aliases_pkey primary key (creator_id, viewer_id),
  constraint viewer_aliases_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint viewer_aliases_viewer_id_fkey foreign key (viewer_id) references viewers(id) on delete cascade,
  constraint viewer_aliases_alias_check check ((length(alias) >= 1) and (length(alias) <= 60))
);
create index viewer_aliases_viewer on viewer_aliases (viewer_id);
-- row-level security: enabled, forced
create policy own on viewer_aliases for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on viewer_aliases for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on viewer_aliases to app_system;
grant delete, insert, select, update on viewer_aliases to app_user;

create table viewer_blocks (
  creator_id uuid not null,
  viewer_id uuid not null,
  reason text not null default '',
  at timestamptz not null,
  constraint viewer_blocks_pkey primary key (creator_id, viewer_id),
  constraint viewer_blocks_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint viewer_blocks_viewer_id_fkey foreign key (viewer_id) references viewers(id) on delete cascade
);
create index viewer_blocks_viewer on viewer_blocks (viewer_id);
-- row-level security: enabled, forced
create policy own on viewer_blocks for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on viewer_blocks for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on viewer_blocks to app_system;
grant delete, insert, select, update on viewer_blocks to app_user;

create table viewer_devices (
  id uuid not null,
  viewer_id uuid not null,
  secret_hash bytea not null,
  ua_family text,
  os_family text,
  in_app text,
  country text,
  tz text,
  screen text,
  evidence_fp text,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  constraint viewer_devices_pkey primary key (id),
  constraint viewer_devices_secret_hash_key unique (secret_hash),
  constraint viewer_devices_viewer_id_fkey foreign key (viewer_id) references viewers(id) on delete cascade,
  constraint viewer_devices_in_app_check check (in_app in ('instagram', 'facebook', 'tiktok', 'snapchat', 'whatsapp', 'messenger', 'telegram'))
);
create index viewer_devices_viewer on viewer_devices (viewer_id);
-- row-level security: enabled, forced
create policy system on viewer_devices for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on viewer_devices to app_system;

create table viewer_pseudonyms (
  creator_id uuid not null,
  viewer_id uuid not null,
  id uuid not null default gen_random_uuid(),
  constraint viewer_pseudonyms_pkey primary key (creator_id, viewer_id),
  constraint viewer_pseudonyms_id_key unique (id),
  constraint viewer_pseudonyms_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint viewer_pseudonyms_viewer_id_fkey foreign key (viewer_id) references viewers(id) on delete cascade
);
create index viewer_pseudonyms_viewer on viewer_pseudonyms (viewer_id);
-- row-level security: enabled, forced
create policy own on viewer_pseudonyms for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on viewer_pseudonyms for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on viewer_pseudonyms to app_system;
grant select on viewer_pseudonyms to app_user;

create table viewer_resume_codes (
  id uuid not null,
  link_id uuid not null,
  viewer_id uuid not null,
  code_hash bytea not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  constraint viewer_resume_codes_pkey primary key (id),
  constraint viewer_resume_codes_link_id_code_hash_key unique (link_id, code_hash),
  constraint viewer_resume_codes_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade,
  constraint viewer_resume_codes_viewer_id_fkey foreign key (viewer_id) references viewers(id) on delete cascade
);
create index viewer_resume_codes_viewer on viewer_resume_codes (viewer_id);
-- row-level security: enabled, forced
create policy system on viewer_resume_codes for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on viewer_resume_codes to app_system;

create table viewer_sessions (
  id uuid not null,
  admission_id uuid not null,
  link_id uuid not null,
  creator_id uuid not null,
  viewer_id uuid not null,
  device_id uuid not null,
  link_policy_version integer not null,
  state text not null,
  decision_via text not null,
  started_at timestamptz not null,
  last_beat_at timestamptz not null,
  last_input_at timestamptz not null,
  ended_at timestamptz,
  end_reason text,
  watch_ms bigint not null default 0,
  summed_ms bigint not null default 0,
  items_seen integer not null default 0,
  current_media_id uuid,
  look_ms bigint not null default 0,
  country text,
  region text,
  city text,
  location_source text not null,
  referrer_app text,
  ua_family text,
  os_family text,
  suspect_reason text,
  counted boolean not null default false,
  counted_at timestamptz,
  look_played int4multirange not null default '{}'::int4multirange,
  last_report text,
  constraint viewer_sessions_pkey primary key (id),
  constraint viewer_sessions_admission_id_fkey foreign key (admission_id) references link_viewers(id) on delete cascade,
  constraint viewer_sessions_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint viewer_sessions_device_id_fkey foreign key (device_id) references viewer_devices(id) on delete cascade,
  constraint viewer_sessions_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade,
  constraint viewer_sessions_viewer_id_fkey foreign key (viewer_id) references viewers(id) on delete cascade,
  constraint viewer_sessions_end_reason_check check (end_reason in ('left', 'idle', 'expired', 'revoked', 'security', 'replaced', 'time_used')),
  constraint viewer_sessions_last_report_check check ((length(last_report) >= 1) and (length(last_report) <= 40)),
  constraint viewer_sessions_location_source_check check (location_source in ('ip', 'edge', 'timezone', 'unknown')),
  constraint viewer_sessions_state_check check (state in ('open', 'closed', 'cut')),
  constraint viewer_sessions_suspect_reason_check check (suspect_reason in ('own', 'automation', 'admin'))
);
create index viewer_sessions_admission on viewer_sessions (admission_id, started_at desc);
create index viewer_sessions_creator on viewer_sessions (creator_id, started_at desc, id desc);
create index viewer_sessions_device on viewer_sessions (device_id);
create index viewer_sessions_newest on viewer_sessions (viewer_id, creator_id, started_at desc, id desc);
create index viewer_sessions_of_link on viewer_sessions (link_id, creator_id, started_at desc nulls last, id desc);
create index viewer_sessions_open on viewer_sessions (creator_id, started_at desc) where (state = 'open');
create index viewer_sessions_revoked on viewer_sessions (creator_id, ended_at) where (end_reason = 'revoked');
-- row-level security: enabled, forced
create policy own on viewer_sessions for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on viewer_sessions for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on viewer_sessions to app_system;
grant select on viewer_sessions to app_user;

create table viewers (
  id uuid not null,
  display_name text,
  email text,
  email_verified_at timestamptz,
  age_confirmed_at timestamptz,
  merged_into uuid,
  blocked_globally_at timestamptz,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  constraint viewers_pkey primary key (id),
  constraint viewers_merged_into_fkey foreign key (merged_into) references viewers(id) on delete set null
);
create index viewers_merged on viewers (merged_into);
create unique index viewers_proven_email on viewers (email) where (email_verified_at is not null);
-- row-level security: enabled, forced
create policy system on viewers for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on viewers to app_system;

create table visit_events (
  id uuid not null,
  vid text not null,
  path text not null,
  referrer text,
  utm jsonb,
  ip_address text,
  user_agent text not null,
  user_id uuid,
  created_at timestamptz not null,
  constraint visit_events_pkey primary key (id),
  constraint visit_events_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint visit_events_ip_address_check check (ip_address is null),
  constraint visit_events_path_check check (length(path) <= 200),
  constraint visit_events_referrer_check check (length(referrer) <= 300),
  constraint visit_events_user_agent_check check (length(user_agent) <= 400),
  constraint visit_events_vid_check check (length(vid) <= 60)
);
create index visit_events_created on visit_events (created_at);
create index visit_events_user on visit_events (user_id);
create index visit_events_vid on visit_events (vid, created_at);
-- row-level security: enabled, forced
create policy system on visit_events for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on visit_events to app_system;

create table webhook_inbox (
  event_id text not null,
  hook text not null,
  type text not null,
  object_id text not null,
  account_id text,
  provider text not null,
  livemode boolean not null,
  event_created_at timestamptz not null,
  received_at timestamptz not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  processed_at timestamptz,
  last_error text,
  constraint webhook_inbox_pkey primary key (event_id)
);
create index webhook_inbox_due on webhook_inbox (next_attempt_at) where (processed_at is null);
-- row-level security: enabled, forced
create policy system on webhook_inbox for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on webhook_inbox to app_system;

create table withheld_refunds (
  order_id uuid not null,
  creator_id uuid,
  link_id uuid,
  trace_id uuid,
  reason text not null,
  at timestamptz not null,
  constraint withheld_refunds_pkey primary key (order_id),
  constraint withheld_refunds_creator_id_fkey foreign key (creator_id) references users(id) on delete set null,
  constraint withheld_refunds_link_id_fkey foreign key (link_id) references magic_links(id) on delete set null,
  constraint withheld_refunds_order_id_fkey foreign key (order_id) references checkout_orders(id) on delete cascade,
  constraint withheld_refunds_trace_id_fkey foreign key (trace_id) references traces(id) on delete set null,
  constraint withheld_refunds_reason_check check ((length(reason) >= 1) and (length(reason) <= 500))
);
create index withheld_refunds_creator on withheld_refunds (creator_id);
create index withheld_refunds_link on withheld_refunds (link_id);
create index withheld_refunds_trace on withheld_refunds (trace_id);
-- row-level security: enabled, forced
create policy own on withheld_refunds for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on withheld_refunds for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on withheld_refunds to app_system;
grant select on withheld_refunds to app_user;

create unlogged table worker_beats (
  worker_id uuid not null,
  began_at timestamptz not null,
  beat_at timestamptz not null,
  constraint worker_beats_pkey primary key (worker_id)
);
-- row-level security: enabled, forced
create policy system on worker_beats for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on worker_beats to app_system;

create table wrong_codes (
  link_id uuid not null,
  day date not null,
  creator_id uuid not null,
  tries integer not null,
  last_at timestamptz not null,
  constraint wrong_codes_pkey primary key (link_id, day),
  constraint wrong_codes_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint wrong_codes_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade,
  constraint wrong_codes_tries_check check (tries > 0)
);
create index wrong_codes_creator on wrong_codes (creator_id);
create index wrong_codes_day on wrong_codes (day);
-- row-level security: enabled, forced
create policy own on wrong_codes for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on wrong_codes for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on wrong_codes to app_system;
grant select on wrong_codes to app_user;

create table wrong_passwords (
  link_id uuid not null,
  password_version integer not null,
  day date not null,
  creator_id uuid not null,
  tries integer not null,
  last_at timestamptz not null,
  constraint wrong_passwords_pkey primary key (link_id, password_version, day),
  constraint wrong_passwords_creator_id_fkey foreign key (creator_id) references users(id) on delete cascade,
  constraint wrong_passwords_link_id_fkey foreign key (link_id) references magic_links(id) on delete cascade
);
create index wrong_passwords_creator on wrong_passwords (creator_id, last_at);
create index wrong_passwords_day on wrong_passwords (day);
-- row-level security: enabled, forced
create policy own on wrong_passwords for all to app_user using (creator_id = (select app_uid())) with check ((creator_id = (select app_uid())) and true);
create policy system on wrong_passwords for all to app_system using (current_user = 'app_system') with check (current_user = 'app_system');
grant delete, insert, select, update on wrong_passwords to app_system;
grant select on wrong_passwords to app_user;
