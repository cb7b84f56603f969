-- How often a medium or a leaked copy has run out of time since it was last begun by its creator, and when it is tried again by
-- itself: nothing, once it was given up.
alter table media add column timeouts smallint not null default 0 check (timeouts >= 0), add column retry_at timestamptz;
create index media_timeouts on media (creator_id) where timeouts > 0 and deleted_at is null;
alter table traces add column timeouts smallint not null default 0 check (timeouts >= 0), add column retry_at timestamptz;
create index traces_timeouts on traces (creator_id) where timeouts > 0;
-- Whoever's fault it was: what was paid to have a video made sooner goes back when it fails.
alter table media rename column failed_by_us to has_failed;
-- Whoever tries again begins anew.
grant update (timeouts) on media to app_user;
