-- What of films was watched: seconds, as far as they were played.

-- Of the look that goes on, and of looks that are over. The length of the film as it was then outlives it.
alter table viewer_sessions add column look_played int4multirange not null default '{}';
alter table view_events add column played int4multirange;
alter table view_events add column film_seconds integer;

create table film_days (
  creator_id uuid not null references users on delete cascade,
  day date not null,
  media_id uuid not null,
  plays integer not null default 0,
  completions integer not null default 0,
  primary key (creator_id, day, media_id)
);
select wall('film_days', 'creator_id', 'true', 'select');

-- How many plays of a day began and ended to show a film at one of its seconds, taken together: added up from its beginning on,
-- they are how many plays showed each second.
create table film_edges (
  creator_id uuid not null references users on delete cascade,
  day date not null,
  media_id uuid not null,
  second integer not null,
  change integer not null,
  primary key (creator_id, day, media_id, second)
);
select wall('film_edges', 'creator_id', 'true', 'select');
