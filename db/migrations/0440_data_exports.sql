-- An export of what is kept of a creator: asked for, built by a job, and there for seven days.
create table data_exports (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  has_originals boolean not null,
  state text not null default 'requested',
  requested_at timestamptz not null,
  -- How often it was begun; each attempt writes files of its own.
  attempt smallint not null default 0,
  -- How far the attempt is: bytes of originals, and how many they are.
  done_bytes bigint not null default 0,
  total_bytes bigint not null default 0,
  -- Of the finished zip.
  size_bytes bigint,
  ready_at timestamptz,
  expires_at timestamptz,
  failure text check (failure in ('no_room', 'broken')),
  ended_at timestamptz,
  files_removed_at timestamptz,
  -- The session in which the password was entered for the download, and until when that counts.
  opened_by uuid,
  opened_until timestamptz,
  constraint data_exports_state_check check (state in ('requested', 'building', 'ready', 'expired', 'failed')),
  check ((state = 'ready') <= (size_bytes is not null and expires_at is not null)),
  check ((state in ('expired', 'failed')) = (ended_at is not null))
);
-- One at a time, so that a creator's exports take no more room than what they hold.
create unique index data_exports_one on data_exports (user_id) where state in ('requested', 'building', 'ready');
create index data_exports_of on data_exports (user_id, requested_at desc);
create index data_exports_ready on data_exports (expires_at) where state = 'ready';
create index data_exports_left on data_exports (ended_at) where ended_at is not null;
select wall('data_exports', 'user_id', 'true', 'select');

-- The key of an export's files, wrapped; without it they are noise.
create table export_keys (
  export_id uuid primary key references data_exports on delete cascade,
  user_id uuid not null references users on delete cascade,
  key_id text not null,
  wrapped bytea not null
);
create index export_keys_of on export_keys (user_id);
select wall('export_keys');

-- What somebody did is read by an export of their account.
create index audit_log_actor on audit_log (actor_id, at desc) where actor_id is not null;
