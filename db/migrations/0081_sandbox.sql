-- The built-in payment provider: its objects, what it tells its hooks, what it has answered, its keys. No money moves here.
create table sandbox_objects (
  id text primary key,
  account text not null,
  type text not null,
  seq bigint generated always as identity,
  body jsonb not null,
  hidden jsonb not null default '{}'
);
create index sandbox_objects_listed on sandbox_objects (type, account, seq desc);
select wall('sandbox_objects');

create table sandbox_events (
  id text primary key,
  seq bigint generated always as identity,
  hook text not null,
  body jsonb not null,
  attempts integer not null default 0,
  created_at timestamptz not null,
  next_at timestamptz not null,
  delivered_at timestamptz,
  last_status integer
);
create index sandbox_events_due on sandbox_events (next_at) where delivered_at is null;
create index sandbox_events_seq on sandbox_events (seq desc);
select wall('sandbox_events');

create table sandbox_idempotency (
  key text primary key,
  request text not null,
  status integer not null,
  body jsonb not null
);
select wall('sandbox_idempotency');

create table sandbox_keys (
  the_one boolean primary key default true check (the_one),
  secret_key text not null,
  secrets jsonb not null
);
select wall('sandbox_keys');
