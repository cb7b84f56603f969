-- A run of the full check: the product end to end on accounts of its own. One at a time in an installation.
create table full_checks (
  id uuid primary key,
  -- The administrator; null for the nightly one, and for one that the command line began.
  started_by uuid references users on delete set null,
  started_at timestamptz not null,
  -- When its process last said that it is alive; null until one has taken it up.
  seen_at timestamptz,
  cancelled_at timestamptz,
  ended_at timestamptz,
  result text check (result in ('green', 'red', 'cancelled', 'died')),
  -- In their order: key, title, state, how long it took and what it said.
  steps jsonb not null default '[]',
  -- Accounts and viewers that were made for it, and are to be erased again.
  creator_id uuid,
  viewer_ids uuid[] not null default '{}',
  -- When nothing of it was left that may go; null while something may be.
  cleaned_at timestamptz,
  check ((ended_at is null) = (result is null))
);
create unique index full_checks_running on full_checks ((true)) where ended_at is null;
create index full_checks_started on full_checks (started_at desc);
create index full_checks_started_by on full_checks (started_by);
create index full_checks_to_clean on full_checks (started_at) where cleaned_at is null;
select wall('full_checks');
