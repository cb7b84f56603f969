-- The append-only stream of what was seen, and the sums that are folded from it by transaction id.

-- open: a door was passed; view: the visit became a view; look: one item was looked at for ms_visible, written when the look
-- is over. Watch time is the sum over looks. Visits that are not counted (suspect_reason) leave none.
create table view_events (
  id bigint generated always as identity primary key,
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
create index view_events_creator on view_events (creator_id, at desc);
create index view_events_visit on view_events (visit_id);
select wall('view_events', 'creator_id', 'true', 'select');

create table fold_watermarks (
  name text primary key,
  xid xid8 not null,
  folded_at timestamptz not null default now()
);
select wall('fold_watermarks');
set local role app_system;
insert into fold_watermarks (name, xid) values ('views', '0');
reset role;

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

create table creator_countries (
  creator_id uuid not null references users on delete cascade,
  month date not null,
  country text not null,
  views integer not null default 0,
  watch_ms bigint not null default 0,
  primary key (creator_id, month, country)
);
select wall('creator_countries', 'creator_id', 'true', 'select');

create table item_totals (
  creator_id uuid not null references users on delete cascade,
  media_id uuid not null references media on delete cascade,
  looks integer not null default 0,
  watch_ms bigint not null default 0,
  primary key (creator_id, media_id)
);
create index item_totals_media on item_totals (media_id);
select wall('item_totals', 'creator_id', 'true', 'select');

create table album_totals (
  creator_id uuid not null references users on delete cascade,
  album_id uuid not null references albums on delete cascade,
  looks integer not null default 0,
  watch_ms bigint not null default 0,
  primary key (creator_id, album_id)
);
create index album_totals_album on album_totals (album_id);
select wall('album_totals', 'creator_id', 'true', 'select');

create table link_days (
  creator_id uuid not null references users on delete cascade,
  link_id uuid not null references magic_links on delete cascade,
  day date not null,
  opens integer not null default 0,
  views integer not null default 0,
  watch_ms bigint not null default 0,
  primary key (creator_id, link_id, day)
);
create index link_days_link on link_days (link_id);
select wall('link_days', 'creator_id', 'true', 'select');
