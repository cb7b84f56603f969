-- What may not be shown here: pictures and videos that a report took down, and the list that an operator was given. Hashes only.
create table blocked_media (
  id uuid primary key,
  source text not null check (source in ('report', 'list')),
  -- It stays when its report is forgotten.
  report_id uuid references reports on delete set null,
  -- Of the original's bytes.
  sha256 bytea check (length(sha256) = 32),
  -- What pictures that look alike have in common, but for a few bits: `media.phash`.
  blockhash text check (blockhash ~ '^[0-9a-f]{64}$'),
  -- Which reading of the operator's list it stood in last.
  list_id uuid,
  created_at timestamptz not null,
  check (sha256 is not null or blockhash is not null),
  check (source = 'report' or report_id is null),
  check ((source = 'list') = (list_id is not null))
);
create index blocked_media_sha256 on blocked_media (sha256);
create index blocked_media_report on blocked_media (report_id) where report_id is not null;
create unique index blocked_media_listed on blocked_media (sha256, blockhash) nulls not distinct where source = 'list';
select wall('blocked_media');

-- Media that are under review because they are what is blocked, or look like it.
create table media_matches (
  media_id uuid primary key references media on delete cascade,
  source text not null check (source in ('report', 'list')),
  report_id uuid references reports on delete set null,
  is_exact boolean not null,
  matched_at timestamptz not null,
  -- The operator knows.
  notified_at timestamptz,
  -- Somebody looked, and it is something else: it is not taken again.
  released_at timestamptz
);
create index media_matches_waiting on media_matches (matched_at) where released_at is null;
create index media_matches_report on media_matches (report_id) where report_id is not null;
select wall('media_matches');

-- Copies lie in any account.
create index media_sha256 on media (sha256);
