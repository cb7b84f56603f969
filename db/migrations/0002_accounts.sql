-- Creators, their sessions, and viewers who have no account.

create table users (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  email_verified_at timestamptz,
  display_name text not null default '',
  image text,
  handle text unique check (handle ~ '^[a-z0-9_]{3,30}$'),
  bio text check (length(bio) <= 300),
  birth_date date,
  country text check (country ~ '^[A-Z]{2}$'),
  time_zone text not null default 'UTC',
  locale text not null default 'en',
  marketing_consent_at timestamptz,
  tos_version text,
  tos_at timestamptz,
  content_policy_version text,
  content_policy_at timestamptz,
  age_confirmed_at timestamptz,
  -- A closed account (under 18) is erased at this instant.
  erase_at timestamptz,
  status text not null default 'pending' check (status in ('pending', 'active', 'limited', 'suspended', 'deleting', 'deleted')),
  setup_step text not null default 'password' check (setup_step in ('password', 'profile', 'consent', 'first_step', 'done')),
  is_free_user boolean not null default false,
  free_until timestamptz,
  subscription_status text,
  trial_ends_at timestamptz,
  two_factor text not null default 'none' check (two_factor in ('none', 'totp', 'passkey')),
  home_screen_wizard_completed boolean not null default false,
  storage_used_bytes bigint not null default 0 check (storage_used_bytes >= 0),
  risk_level text not null default 'normal',
  last_login_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null default now()
);
create trigger touch before update on users for each row execute function touch_updated_at();
select wall('users', 'id', 'true', 'select');
-- Standing, birth date and consents are written by the system only.
grant update (display_name, handle, bio, country, time_zone, locale, marketing_consent_at, home_screen_wizard_completed) on users to app_user;
create index users_erase on users (erase_at) where erase_at is not null;
create index users_unconfirmed on users (created_at) where not email_verified;

create table user_roles (
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('admin')),
  primary key (user_id, role)
);
select wall('user_roles', 'user_id', 'true', 'select');

create table user_entitlements (
  user_id uuid primary key references users on delete cascade,
  suite_user boolean not null default false,
  is_beta boolean not null default false
);
select wall('user_entitlements', 'user_id', 'true', 'select');

create table auth_sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  -- The library's column; addresses are never kept.
  ip_address text check (ip_address is null),
  user_agent text,
  country text,
  created_at timestamptz not null,
  -- The last use, to ten minutes.
  updated_at timestamptz not null
);
create index auth_sessions_user on auth_sessions (user_id, updated_at desc);
create index auth_sessions_expiry on auth_sessions (expires_at);
select wall('auth_sessions', 'user_id', 'true', 'select, delete');

create table auth_accounts (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
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
  unique (provider_id, account_id)
);
create index auth_accounts_user on auth_accounts (user_id);
select wall('auth_accounts');

create table auth_verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index auth_verifications_identifier on auth_verifications (identifier);
select wall('auth_verifications');

-- Our own mailed links and codes: a page on GET, spent by POST only, bound to the browser that asked.
-- A row without a person is never mailed: it makes a known and an unknown address answer alike.
create table email_tokens (
  id uuid primary key,
  user_id uuid references users on delete cascade,
  purpose text not null check (purpose in ('confirm', 'password')),
  token_hash bytea not null unique,
  code_hash bytea not null,
  browser_hash bytea not null,
  tries integer not null default 0,
  code_expires_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null
);
create index email_tokens_user on email_tokens (user_id, purpose, created_at desc);
create index email_tokens_browser on email_tokens (browser_hash, purpose, created_at desc);
create index email_tokens_expiry on email_tokens (expires_at);
select wall('email_tokens');

-- Wrong passwords per address, known or not: counted before the password is looked at, forgotten after a right one.
create unlogged table sign_in_tries (
  key text primary key,
  wrong integer not null check (wrong > 0),
  last_at timestamptz not null
);
create index sign_in_tries_last on sign_in_tries (last_at);
select wall('sign_in_tries');

-- Kinds of device that a person has signed in with, so that a new one is told to her.
create table user_devices (
  user_id uuid not null references users on delete cascade,
  device text not null,
  country text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (user_id, device, country)
);
select wall('user_devices', 'user_id', 'true', 'select');

create table trial_redemptions (
  address_hash bytea primary key,
  user_id uuid references users on delete set null,
  at timestamptz not null
);
create index trial_redemptions_user on trial_redemptions (user_id);
select wall('trial_redemptions');

create table lead_captures (
  id uuid primary key,
  vid text,
  email text not null,
  source text not null,
  page_path text,
  utm jsonb,
  referrer text,
  user_agent text,
  user_id uuid references users on delete set null,
  created_at timestamptz not null
);
create index lead_captures_vid on lead_captures (vid);
create index lead_captures_user on lead_captures (user_id);
select wall('lead_captures');

create table viewers (
  id uuid primary key,
  display_name text,
  email text,
  email_verified_at timestamptz,
  age_confirmed_at timestamptz,
  merged_into uuid references viewers on delete set null,
  blocked_globally_at timestamptz,
  created_at timestamptz not null,
  last_seen_at timestamptz not null
);
create index viewers_merged on viewers (merged_into);
select wall('viewers');

create table viewer_devices (
  id uuid primary key,
  viewer_id uuid not null references viewers on delete cascade,
  secret_hash bytea not null unique,
  ua_family text,
  os_family text,
  in_app text check (in_app in ('instagram', 'facebook', 'tiktok', 'snapchat', 'whatsapp', 'messenger', 'telegram')),
  country text,
  tz text,
  screen text,
  evidence_fp text,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null
);
create index viewer_devices_viewer on viewer_devices (viewer_id);
select wall('viewer_devices');

create table viewer_aliases (
  creator_id uuid not null references users on delete cascade,
  viewer_id uuid not null references viewers on delete cascade,
  alias text not null check (length(alias) between 1 and 60),
  primary key (creator_id, viewer_id)
);
create index viewer_aliases_viewer on viewer_aliases (viewer_id);
select wall('viewer_aliases', 'creator_id');
