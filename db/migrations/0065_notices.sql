-- What creators are told of, and how each of them wants to be told.
create table notices (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  event text not null,
  -- Ids, counts and moments; the words are made when it is told.
  about jsonb not null,
  created_at timestamptz not null,
  -- When it is looked at next: later than now while quiet hours or the pause between two digests last.
  due_at timestamptz not null,
  told_at timestamptz,
  told_by text check (told_by in ('push', 'mail', 'off')),
  check ((told_at is null) = (told_by is null))
);
create index notices_due on notices (due_at) where told_at is null;
create index notices_of on notices (user_id, told_at);
create index notices_old on notices (created_at);
select wall('notices');

create table notice_settings (
  user_id uuid primary key references users (id) on delete cascade,
  channels jsonb not null default '{}',
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_until smallint check (quiet_until between 0 and 1439),
  check ((quiet_from is null) = (quiet_until is null)),
  check (quiet_from <> quiet_until)
);
select wall('notice_settings', 'user_id');

-- The end of a link that its maker has been told of; a later end is told anew.
alter table magic_links add column expiry_told_for timestamptz;
create index magic_links_expiring on magic_links (expires_at) where not is_revoked;

-- Up to which share of the storage, and which end of the trial, somebody has been told.
alter table users
  add column storage_told smallint not null default 0 check (storage_told in (0, 80, 95)),
  add column trial_told smallint not null default 0 check (trial_told in (0, 1, 2));
set local role app_system;
do $$
declare
  ended bigint := (select count(*) from users where trial_ends_at <= now());
  told bigint;
begin
  update users set trial_told = 2 where trial_ends_at <= now();
  get diagnostics told = row_count;
  assert told = ended, 'row-level security hid people from the migration';
end $$;
reset role;
create index users_storage on users (storage_used_bytes);
create index users_storage_told on users (storage_told) where storage_told > 0;
create index users_trial_untold on users (trial_ends_at) where trial_told < 2;
