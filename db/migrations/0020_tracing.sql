-- Copies that leaked: what was found in them, and seals over who was ever given which codeword.

create table traces (
  id uuid primary key,
  creator_id uuid not null references users on delete cascade,
  -- All of her photos are compared; else those of the album, which may be deleted later.
  is_everywhere boolean not null,
  album_id uuid references albums on delete set null,
  -- Another copy of the same leak, whose evidence counts together with this one's; the id stays when that one is deleted, so that
  -- it can be said.
  with_id uuid,
  state text not null check (state in ('queued', 'matching', 'reading', 'done', 'failed')),
  outcome text check (outcome in ('traced', 'probable', 'inconclusive', 'no_match')),
  fail_code text check (fail_code in ('UNSUPPORTED', 'CORRUPT', 'TOO_BIG', 'TIMEOUT')),
  attempts integer not null default 0,
  -- How far the step of `state` has come.
  done integer not null default 0,
  total integer not null default 0,
  -- How far a large library was compared, and when: whoever goes on begins here.
  place jsonb,
  place_at timestamptz,
  bytes bigint not null,
  sha256 bytea not null,
  has_preview boolean not null default false,
  -- What may be shown, and nothing else: below "probable" no number and no name.
  result jsonb,
  created_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz not null,
  updated_at timestamptz not null default now(),
  check ((state = 'done') = (outcome is not null)),
  check ((state = 'failed') = (fail_code is not null)),
  check (not is_everywhere or album_id is null)
);
create index traces_creator on traces (creator_id, created_at desc, id desc);
create index traces_album on traces (album_id);
create index traces_expiry on traces (expires_at);
create trigger touch before update on traces for each row execute function touch_updated_at();
select wall('traces', 'creator_id', 'true', 'select');

-- Key of the files of a trace: the copy itself, its preview, what was read of it. Without it they are noise.
create table trace_keys (
  trace_id uuid primary key references traces on delete cascade,
  creator_id uuid not null references users on delete cascade,
  key_id text not null,
  wrapped bytea not null
);
create index trace_keys_creator on trace_keys (creator_id);
select wall('trace_keys');

-- Every copy that was handed in, what it showed, and every codeword that was disclosed for it: it outlives the trace, and each
-- earlier trace of an item counts against the certainty of the next one.
create table trace_log (
  seq bigint generated always as identity primary key,
  at timestamptz not null,
  creator_id uuid not null,
  trace_id uuid not null,
  kind text not null check (kind in ('uploaded', 'read', 'disclosed')),
  sha256 bytea not null,
  outcome text check (outcome in ('traced', 'probable', 'inconclusive', 'no_match')),
  media_ids uuid[] not null default '{}',
  -- What the answer was weighed with.
  compared integer,
  issued integer,
  hypotheses bigint,
  -- Links that the answer named, and looks of the creator's own: whoever made a later copy may have learnt from it.
  named_ids uuid[] not null default '{}',
  -- Links and grants whose seeds an evidence file holds.
  disclosed_ids uuid[] not null default '{}',
  unique (trace_id, kind)
);
create index trace_log_creator on trace_log (creator_id, seq);
select wall('trace_log', 'creator_id', 'true', 'select');
select append_only('trace_log');

-- A seal names its rows one by one: a row whose transaction ended late is in a later seal than its neighbours.
alter table codeword_seals
  add column seqs bigint[] not null default '{}',
  add column rows_hash bytea not null default '';
create index codeword_seals_last on codeword_seals (last_seq);
