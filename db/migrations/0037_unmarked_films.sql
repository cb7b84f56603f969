-- A film in which the mark of a second is missing is not published.
alter table media
  drop constraint media_fail_code_check,
  add constraint media_fail_code_check
    check (fail_code in ('UNSUPPORTED', 'CORRUPT', 'TOO_LONG', 'TOO_BIG', 'NO_VIDEO_TRACK', 'TIMEOUT', 'UNMARKED', 'HASH_MATCH'));
