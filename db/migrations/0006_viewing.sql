-- Who was let in, what they were given, and how long they looked.

create table viewer_blocks (
  creator_id uuid not null references users on delete cascade,
  viewer_id uuid not null references viewers on delete cascade,
  reason text not null default '',
  at timestamptz not null,
  primary key (creator_id, viewer_id)
);
create index viewer_blocks_viewer on viewer_blocks (viewer_id);
select wall('viewer_blocks', 'creator_id');

create table gate_passes (
  link_id uuid not null references magic_links on delete cascade,
  viewer_id uuid not null references viewers on delete cascade,
  gate text not null check (gate in ('password', 'email', 'agreement')),
  rule_version integer not null,
  at timestamptz not null,
  primary key (link_id, viewer_id, gate)
);
create index gate_passes_viewer on gate_passes (viewer_id);
select wall('gate_passes');

-- The owner of a codeword: a viewer under a link, a creator's own preview, an admin's review.
create table grants (
  id uuid primary key,
  kind text not null check (kind in ('link', 'owner', 'admin')),
  creator_id uuid not null references users on delete cascade,
  user_id uuid references users on delete cascade,
  created_at timestamptz not null
);
create unique index grants_owner on grants (creator_id, user_id, kind) where kind <> 'link';
create index grants_creator on grants (creator_id);
create index grants_user on grants (user_id);
select wall('grants', 'creator_id', 'true', 'select');

create table link_viewers (
  id uuid primary key references grants on delete cascade,
  link_id uuid not null references magic_links on delete cascade,
  viewer_id uuid not null references viewers on delete cascade,
  creator_id uuid not null references users on delete cascade,
  first_admitted_at timestamptz not null,
  first_view_at timestamptz,
  last_visit_at timestamptz,
  watched_ms bigint not null default 0,
  visits integer not null default 0,
  policy_version integer not null,
  blocked_at timestamptz,
  -- The creator's own look, or an admin's: takes no place on the link and is never counted.
  is_own boolean not null default false,
  unique (link_id, viewer_id)
);
create index link_viewers_viewer on link_viewers (viewer_id);
create index link_viewers_creator on link_viewers (creator_id, last_visit_at desc);
select wall('link_viewers', 'creator_id', 'true', 'select');

-- Places taken on a link, counted by the statement that takes one: of many parallel strangers exactly as many get in.
alter table magic_links add column places_taken integer not null default 0;

-- Strangers' passwords on one link stand in one queue for all processes: each try takes the next free moment.
create unlogged table password_queues (
  link_id uuid primary key references magic_links on delete cascade,
  password_version integer not null,
  hour timestamptz not null,
  tries integer not null,
  wrong integer not null default 0,
  free_at timestamptz not null
);
select wall('password_queues');

-- One row per grant and per link, written with it and never changed: what a later trace is checked against.
create table codeword_log (
  seq bigint generated always as identity primary key,
  at timestamptz not null,
  creator_id uuid not null,
  grant_id uuid unique,
  link_id uuid unique,
  commitment bytea not null,
  check (num_nonnulls(grant_id, link_id) = 1)
);
create index codeword_log_creator on codeword_log (creator_id, seq);
select wall('codeword_log', 'creator_id', 'true', 'select');
select append_only('codeword_log');

create table codeword_seals (
  creator_id uuid not null,
  n integer not null,
  last_seq bigint not null,
  hash bytea not null,
  at timestamptz not null,
  primary key (creator_id, n)
);
select wall('codeword_seals', 'creator_id', 'true', 'select');
select append_only('codeword_seals');

create table viewer_sessions (
  id uuid primary key,
  admission_id uuid not null references link_viewers on delete cascade,
  link_id uuid not null references magic_links on delete cascade,
  creator_id uuid not null references users on delete cascade,
  viewer_id uuid not null references viewers on delete cascade,
  device_id uuid not null references viewer_devices on delete cascade,
  link_policy_version integer not null,
  state text not null check (state in ('open', 'closed', 'cut')),
  decision_via text not null,
  started_at timestamptz not null,
  last_beat_at timestamptz not null,
  last_input_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('left', 'idle', 'expired', 'revoked', 'security', 'replaced', 'time_used')),
  watch_ms bigint not null default 0,
  -- How much of watch_ms the sums of the link hold.
  summed_ms bigint not null default 0,
  items_seen integer not null default 0,
  -- The look that goes on: it becomes a row of view_events when the viewer moves on or the visit ends.
  current_media_id uuid,
  look_ms bigint not null default 0,
  country text,
  region text,
  city text,
  location_source text not null check (location_source in ('ip', 'edge', 'timezone', 'unknown')),
  referrer_app text,
  ua_family text,
  os_family text,
  suspect_reason text check (suspect_reason in ('own', 'automation', 'data_centre', 'admin')),
  counted boolean not null default false,
  counted_at timestamptz
) with (fillfactor = 80);
create index viewer_sessions_creator on viewer_sessions (creator_id, started_at desc, id desc);
create index viewer_sessions_admission on viewer_sessions (admission_id, started_at desc);
create index viewer_sessions_link on viewer_sessions (link_id, started_at desc);
-- No index holds what a beat changes, so a renewal updates its row in place (HOT).
create index viewer_sessions_open on viewer_sessions (creator_id, started_at desc) where state = 'open';
create index viewer_sessions_viewer on viewer_sessions (viewer_id);
create index viewer_sessions_device on viewer_sessions (device_id);
select wall('viewer_sessions', 'creator_id', 'true', 'select');

-- A lease lives until `expires_at`, and as long as the visit behind it is renewed. Rows are kept for a week; they are written by
-- the dozen, so only the two keys that take them away are foreign keys.
create table key_leases (
  id uuid primary key,
  grant_id uuid not null references grants on delete cascade,
  session_id uuid references viewer_sessions on delete cascade,
  creator_id uuid not null,
  media_id uuid not null,
  rendition text not null,
  pack_id uuid not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null
);
create index key_leases_session on key_leases (session_id, issued_at desc);
create index key_leases_grant on key_leases (grant_id);
create index key_leases_expiry on key_leases (expires_at);
select wall('key_leases');

-- Which grant was ever given which rendition: the list of suspects of a later trace.
create table deliveries (
  grant_id uuid not null references grants on delete cascade,
  media_id uuid not null references media on delete cascade,
  rendition text not null,
  pack_id uuid not null,
  creator_id uuid not null references users on delete cascade,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (grant_id, media_id, rendition, pack_id)
);
create index deliveries_media on deliveries (media_id);
create index deliveries_creator on deliveries (creator_id);
select wall('deliveries', 'creator_id', 'true', 'select');

create table viewer_resume_codes (
  id uuid primary key,
  link_id uuid not null references magic_links on delete cascade,
  viewer_id uuid not null references viewers on delete cascade,
  code_hash bytea not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  unique (link_id, code_hash)
);
create index viewer_resume_codes_viewer on viewer_resume_codes (viewer_id);
select wall('viewer_resume_codes');
