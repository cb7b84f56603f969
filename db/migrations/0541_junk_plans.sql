-- What a look for rubbish of one kind has found, and how far it is cleaned. A further look replaces it.
create table junk_plans (
  kind text primary key,
  id uuid not null,
  state text not null check (state in ('looking', 'found', 'cleaning', 'cleaned', 'cancelled', 'failed')),
  -- The administrator; null for the command line.
  asked_by uuid references users on delete set null,
  asked_at timestamptz not null,
  -- Exactly these are cleaned, and of them only what is rubbish still.
  ids text[] not null default '{}',
  -- Of the ids, in their order.
  hash text not null default '',
  -- How many there were, of which the ids are the first.
  found integer not null default 0,
  size_bytes bigint,
  -- How many of the ids the look before did not find, and how many of those are not found any more.
  more integer not null default 0,
  fewer integer not null default 0,
  done integer not null default 0,
  cleaned integer not null default 0,
  cancelled_at timestamptz,
  -- When its job last said how far it is.
  seen_at timestamptz not null
);
create index junk_plans_asked_by on junk_plans (asked_by);
select wall('junk_plans');
