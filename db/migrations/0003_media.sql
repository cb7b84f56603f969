-- Photos and videos: what was uploaded, its keys, its encrypted renditions.

create table creator_keys (
  creator_id uuid primary key references users on delete cascade,
  key_id text not null,
  wrapped bytea not null
);
select wall('creator_keys');

create table media (
  id uuid primary key,
  creator_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('photo', 'video')),
  state text not null check (state in ('uploaded', 'scanning', 'processing', 'ready', 'failed', 'quarantined', 'deleted')),
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
  fail_code text check (fail_code in ('UNSUPPORTED', 'CORRUPT', 'TOO_LONG', 'TOO_BIG', 'NO_VIDEO_TRACK', 'TIMEOUT', 'HASH_MATCH')),
  attempts integer not null default 0,
  created_at timestamptz not null,
  ready_at timestamptz,
  deleted_at timestamptz,
  updated_at timestamptz not null default now()
);
create index media_creator on media (creator_id, created_at desc, id desc);
create index media_same on media (creator_id, sha256);
create index media_deleted on media (deleted_at) where deleted_at is not null;
create trigger touch before update on media for each row execute function touch_updated_at();
select wall('media', 'creator_id', 'true', 'select');
grant update (state, deleted_at, fail_code) on media to app_user;

create table media_keys (
  media_id uuid primary key references media on delete cascade,
  creator_id uuid not null references users on delete cascade,
  key_id text not null,
  wrapped bytea not null
);
create index media_keys_creator on media_keys (creator_id);
select wall('media_keys');

create table packs (
  id uuid primary key,
  creator_id uuid not null references users on delete cascade,
  media_id uuid not null references media on delete cascade,
  rendition text not null check (rendition in ('p2048', 'thumb512', 'poster', 'posterthumb', 'storyboard', 'v720', 'v480', 'audio')),
  mark text not null check (mark in ('AB', '-')),
  path text not null,
  bytes bigint not null,
  sha256 bytea not null,
  width integer,
  height integer,
  columns integer,
  rows integer,
  segments integer,
  created_at timestamptz not null,
  unique (media_id, rendition)
);
create index packs_creator on packs (creator_id);
select wall('packs', 'creator_id', 'true', 'select');

-- One row per upload that was begun; the bytes so far lie in staging.
create table uploads (
  id uuid primary key,
  creator_id uuid not null references users on delete cascade,
  album_id uuid,
  media_id uuid references media on delete set null,
  original_name text not null,
  bytes bigint not null,
  state text not null default 'open' check (state in ('open', 'complete', 'aborted', 'expired')),
  fail_code text,
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create index uploads_creator on uploads (creator_id, created_at desc);
create index uploads_expiry on uploads (expires_at) where state = 'open';
create index uploads_media on uploads (media_id);
select wall('uploads', 'creator_id');
