-- An erasure of somebody without an account: by the address that they have proven, or by the browser where there is no address.
create table people_erasures (
  id uuid primary key,
  -- Gone once it is done.
  email text check (length(email) <= 254),
  -- Of a browser without an address, its viewer.
  viewer_id uuid,
  asked_by text not null check (asked_by in ('viewer', 'operator')),
  asked_at timestamptz not null,
  erase_at timestamptz not null,
  state text not null default 'waiting',
  kept_at timestamptz,
  erasing_since timestamptz,
  done_at timestamptz,
  -- Whose rows go, once it has begun: ids of viewers and of a buyer.
  subjects jsonb,
  certificate jsonb,
  constraint people_erasures_state_check check (state in ('waiting', 'kept', 'erasing', 'done')),
  check ((state in ('erasing', 'done')) = (subjects is not null)),
  check ((state = 'done') = (certificate is not null))
);
-- One at a time of each person.
create unique index people_erasures_address on people_erasures (email) where state in ('waiting', 'erasing');
create unique index people_erasures_viewer on people_erasures (viewer_id) where state in ('waiting', 'erasing');
create index people_erasures_due on people_erasures (erase_at) where state in ('waiting', 'erasing');
select wall('people_erasures');

-- A mailed code by which somebody without an account takes their data along, has them erased, or keeps them after all.
create table data_codes (
  id uuid primary key,
  act text not null check (act in ('export', 'erase', 'keep')),
  browser_hash bytea not null check (length(browser_hash) = 32),
  email text not null check (length(email) <= 254),
  code_hash bytea not null check (length(code_hash) = 32),
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  unique (act, browser_hash)
);
create index data_codes_expiry on data_codes (expires_at);
select wall('data_codes');
