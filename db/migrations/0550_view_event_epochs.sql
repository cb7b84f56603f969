-- The stream that all insights are counted from is the biggest table. Beside each event's transaction stands the run of 4,096
-- transactions that it is of: indexes of runs hold many events under one key, those of transactions one or two.
-- Events of a move to another server have no transaction (xid 0) and are of run -1.
drop index view_events_creator;
drop index view_events_xid;
alter table view_events
  alter column ms_visible drop default,
  alter column ms_visible type integer using least(ms_visible, 2147483647)::integer,
  alter column ms_visible set default 0,
  -- True or null: what is null takes no place in a row.
  alter column first_of_viewer drop default,
  alter column first_of_viewer drop not null,
  alter column first_of_viewer type boolean using nullif(first_of_viewer, false),
  add column epoch integer not null generated always as (((xid::text::bigint - 1) >> 12)::integer) stored;
create index view_events_creator on view_events (creator_id, epoch);
create index view_events_epoch on view_events (epoch);
