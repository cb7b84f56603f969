-- When each viewer last viewed something of a creator's: the viewers of every span that ends now are counted from it, whatever
-- the stream has grown to.
create table creator_viewers (
  creator_id uuid not null references users on delete cascade,
  viewer_id uuid not null,
  last_view_at timestamptz not null,
  primary key (creator_id, viewer_id)
);
create index creator_viewers_seen on creator_viewers (creator_id, last_view_at);
select wall('creator_viewers', 'creator_id', 'true', 'select');

-- What the fold has not reached yet may be in it already: a later moment is all that a fold ever writes.
set local role app_system;
do $$
declare
  seen bigint := (select count(distinct (creator_id, viewer_id)) from view_events where kind = 'view');
  made bigint;
begin
  insert into creator_viewers (creator_id, viewer_id, last_view_at)
  select creator_id, viewer_id, max(at) from view_events where kind = 'view' group by 1, 2;
  get diagnostics made = row_count;
  assert made = seen, 'row-level security hid events from the migration';
end $$;
reset role;
drop index view_events_viewers;

-- Screens that were closed by revoking, without a look at every visit; neither column changes with a beat.
create index viewer_sessions_revoked on viewer_sessions (creator_id, ended_at) where end_reason = 'revoked';
-- Whether a visit is its viewer's newest is one step of an index.
create index viewer_sessions_newest on viewer_sessions (viewer_id, creator_id, started_at desc, id desc);
drop index viewer_sessions_viewer;
