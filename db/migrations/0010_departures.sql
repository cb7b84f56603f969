-- What was taken away from an album, hidden in it or deleted: screens that are open drop it with their next renewal.
create table album_departures (
  album_id uuid not null references albums on delete cascade,
  media_id uuid not null,
  user_id uuid not null references users on delete cascade,
  at timestamptz not null
);
create index album_departures_album on album_departures (album_id, at);
create index album_departures_user on album_departures (user_id);
create index album_departures_at on album_departures (at);
select wall('album_departures', 'user_id', 'exists (select 1 from albums a where a.id = album_id)', 'select, insert');

-- The place of an upload among those of its album: photos stand in the order in which they were chosen.
alter table uploads add column number integer not null default 0;
