-- A free pass: a link by which a creator gives what one of her tiers opens, for some days and for nothing. It is kept beside the
-- invitations of whoever runs the installation, in the same address.
alter table join_tokens drop constraint join_tokens_kind_check;
alter table join_tokens
  add constraint join_tokens_kind_check check (kind in ('creator_comp', 'fan_pass')),
  add column creator_id uuid references users on delete cascade,
  add column tier_id uuid references fan_tiers on delete cascade,
  add constraint join_tokens_pass_check check ((kind = 'fan_pass') = (creator_id is not null and tier_id is not null)),
  add constraint join_tokens_pass_days_check check (kind <> 'fan_pass' or days is not null);
create index join_tokens_creator on join_tokens (creator_id, created_at desc, id desc) where creator_id is not null;
create index join_tokens_tier on join_tokens (tier_id) where tier_id is not null;
create policy own on join_tokens for select to app_user using (creator_id = (select app_uid()));
grant select on join_tokens to app_user;

-- Who took a place: an account by an invitation, a viewer by a pass. Nobody has two passes of one creator, ever: a person is known
-- by a keyed hash of their address, which tells nobody what it is, and by their browser.
alter table join_claims drop constraint join_claims_pkey;
alter table join_claims
  add column id uuid primary key default gen_random_uuid(),
  alter column user_id drop not null,
  add column creator_id uuid references users on delete cascade,
  add column viewer_id uuid references viewers on delete set null,
  add column person_hash bytea check (length(person_hash) = 32),
  add column fan_subscription_id uuid references fan_subscriptions on delete set null,
  add constraint join_claims_user unique (user_id),
  add constraint join_claims_person unique (creator_id, person_hash),
  add constraint join_claims_viewer unique (creator_id, viewer_id),
  add constraint join_claims_kind_check check ((user_id is null) = (creator_id is not null and person_hash is not null));
create index join_claims_of_viewer on join_claims (viewer_id) where viewer_id is not null;
create index join_claims_fan on join_claims (fan_subscription_id) where fan_subscription_id is not null;

-- The code of an email, typed in the browser that asked for it before it takes a pass. It goes when it is over.
create table pass_codes (
  id uuid primary key,
  token_id uuid not null references join_tokens on delete cascade,
  browser_hash bytea not null check (length(browser_hash) = 32),
  email text not null check (length(email) <= 254),
  code_hash bytea not null check (length(code_hash) = 32),
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  unique (token_id, browser_hash)
);
create index pass_codes_expiry on pass_codes (expires_at);
select wall('pass_codes');
