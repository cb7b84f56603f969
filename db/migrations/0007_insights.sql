-- The append-only stream of what was seen, and the sums that are folded from it by transaction id.

-- open: a door was passed; view: the visit became a view; look: one item was looked at for ms_visible, written when the look
-- is over; without media_id it was the gallery. Watch time is the sum over looks. Visits that are not counted (suspect_reason) leave none.
-- Rows are never named one by one, so they have no id.
create table view_events (
  xid xid8 not null default pg_current_xact_id(),
  kind text not null check (kind in ('open', 'view', 'look')),
  creator_id uuid not null,
  link_id uuid not null,
  visit_id uuid not null,
  viewer_id uuid not null,
  album_id uuid,
  media_id uuid,
  country text,
  at timestamptz not null,
  ms_visible bigint not null default 0,
  first_of_viewer boolean not null default false
);
create index view_events_xid on view_events (xid);
create index view_events_creator on view_events (creator_id, xid);
create index view_events_visit on view_events (visit_id);
create index view_events_viewers on view_events (creator_id, at) include (viewer_id) where kind = 'view';
select wall('view_events', 'creator_id', 'true', 'select');

-- Everything of transactions before `xid` is in the sums.
create table fold_watermarks (
  name text primary key,
  xid xid8 not null,
  folded_at timestamptz not null default now()
);
select wall('fold_watermarks');
set local role app_system;
insert into fold_watermarks (name, xid) values ('views', '0');
reset role;

-- The same for one creator, moved only by a fold that held events of hers: what she reads is the sums and her events since.
create table creator_folds (
  creator_id uuid primary key references users on delete cascade,
  xid xid8 not null
);
select wall('creator_folds', 'creator_id', 'true', 'select');

-- A zone that a browser knows and this server does not must not stop the fold of everybody.
create function known_zone(zone text) returns text language plpgsql stable as $$
begin
  perform now() at time zone zone;
  return zone;
exception when invalid_parameter_value then
  return 'UTC';
end $$;

-- All sums are by day in the creator's time zone, so that the parts of every range add up to its whole. They outlive the
-- stream and the things that were looked at: no foreign keys but the creator's.
create table creator_days (
  creator_id uuid not null references users on delete cascade,
  day date not null,
  opens integer not null default 0,
  views integer not null default 0,
  watch_ms bigint not null default 0,
  new_viewers integer not null default 0,
  primary key (creator_id, day)
);
select wall('creator_days', 'creator_id', 'true', 'select');

create table link_days (
  creator_id uuid not null references users on delete cascade,
  day date not null,
  link_id uuid not null,
  opens integer not null default 0,
  views integer not null default 0,
  watch_ms bigint not null default 0,
  primary key (creator_id, day, link_id)
);
select wall('link_days', 'creator_id', 'true', 'select');

create table album_days (
  creator_id uuid not null references users on delete cascade,
  day date not null,
  album_id uuid not null,
  looks integer not null default 0,
  watch_ms bigint not null default 0,
  primary key (creator_id, day, album_id)
);
select wall('album_days', 'creator_id', 'true', 'select');

create table item_days (
  creator_id uuid not null references users on delete cascade,
  day date not null,
  media_id uuid not null,
  looks integer not null default 0,
  watch_ms bigint not null default 0,
  primary key (creator_id, day, media_id)
);
select wall('item_days', 'creator_id', 'true', 'select');

-- From where and on what; an empty word is "Unknown", for the app "a browser".
create table audience_days (
  creator_id uuid not null references users on delete cascade,
  day date not null,
  country text not null,
  is_estimated boolean not null,
  device text not null,
  app text not null,
  opens integer not null default 0,
  views integer not null default 0,
  watch_ms bigint not null default 0,
  primary key (creator_id, day, country, is_estimated, device, app)
);
select wall('audience_days', 'creator_id', 'true', 'select');
