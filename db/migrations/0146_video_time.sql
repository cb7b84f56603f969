-- How much video a creator has had made this month, and how much more she has paid for, in seconds.
create table video_time (
  user_id uuid primary key references users on delete cascade,
  month date not null,
  used_seconds integer not null default 0 check (used_seconds >= 0),
  extra_seconds bigint not null default 0 check (extra_seconds >= 0)
);
select wall('video_time', 'user_id', 'true', 'select');

-- What one video has taken of it: given back when it fails, for good once it is ready.
create table video_time_taken (
  media_id uuid primary key references media on delete cascade,
  user_id uuid not null references users on delete cascade,
  month date not null,
  free_seconds integer not null check (free_seconds >= 0),
  extra_seconds integer not null check (extra_seconds >= 0)
);
create index video_time_taken_user on video_time_taken (user_id);
select wall('video_time_taken', 'user_id', 'true', 'select');

alter table media drop constraint media_fail_code_check;
alter table media add constraint media_fail_code_check
  check (fail_code in ('UNSUPPORTED', 'CORRUPT', 'TOO_LONG', 'TOO_BIG', 'NO_VIDEO_TRACK', 'TIMEOUT', 'UNMARKED', 'HASH_MATCH', 'NO_VIDEO_TIME'));
create index media_without_time on media (creator_id) where fail_code = 'NO_VIDEO_TIME' and deleted_at is null;

alter table credit_debits drop constraint credit_debits_what_check;
alter table credit_debits add constraint credit_debits_what_check
  check (what in ('trace', 'storage', 'address', 'priority', 'answers', 'video'));
