-- The same sums by month: a year of days has too many rows to be added up for every look at it. Only what is kept apart by more
-- than the day has them, and each is the sum of its days.
lock table link_days, album_days, item_days, audience_days in share row exclusive mode;

create table link_months (
  creator_id uuid not null references users on delete cascade,
  month date not null,
  link_id uuid not null,
  opens integer not null default 0,
  views integer not null default 0,
  watch_ms bigint not null default 0,
  primary key (creator_id, month, link_id)
);
select wall('link_months', 'creator_id', 'true', 'select');

create table album_months (
  creator_id uuid not null references users on delete cascade,
  month date not null,
  album_id uuid not null,
  looks integer not null default 0,
  watch_ms bigint not null default 0,
  primary key (creator_id, month, album_id)
);
select wall('album_months', 'creator_id', 'true', 'select');

create table item_months (
  creator_id uuid not null references users on delete cascade,
  month date not null,
  media_id uuid not null,
  looks integer not null default 0,
  watch_ms bigint not null default 0,
  primary key (creator_id, month, media_id)
);
select wall('item_months', 'creator_id', 'true', 'select');

create table audience_months (
  creator_id uuid not null references users on delete cascade,
  month date not null,
  country text not null,
  is_estimated boolean not null,
  device text not null,
  app text not null,
  opens integer not null default 0,
  views integer not null default 0,
  watch_ms bigint not null default 0,
  primary key (creator_id, month, country, is_estimated, device, app)
);
select wall('audience_months', 'creator_id', 'true', 'select');

set local role app_system;
insert into link_months (creator_id, month, link_id, opens, views, watch_ms)
select creator_id, date_trunc('month', day::timestamp)::date, link_id, sum(opens), sum(views), sum(watch_ms) from link_days group by 1, 2, 3;
insert into album_months (creator_id, month, album_id, looks, watch_ms)
select creator_id, date_trunc('month', day::timestamp)::date, album_id, sum(looks), sum(watch_ms) from album_days group by 1, 2, 3;
insert into item_months (creator_id, month, media_id, looks, watch_ms)
select creator_id, date_trunc('month', day::timestamp)::date, media_id, sum(looks), sum(watch_ms) from item_days group by 1, 2, 3;
insert into audience_months (creator_id, month, country, is_estimated, device, app, opens, views, watch_ms)
select creator_id, date_trunc('month', day::timestamp)::date, country, is_estimated, device, app, sum(opens), sum(views), sum(watch_ms)
from audience_days group by 1, 2, 3, 4, 5, 6;
do $$
begin
  assert (select coalesce(sum(watch_ms), 0) from link_months) = (select coalesce(sum(watch_ms), 0) from link_days)
    and (select coalesce(sum(opens), 0) from audience_months) = (select coalesce(sum(opens), 0) from audience_days)
    and (select coalesce(sum(looks), 0) from album_months) = (select coalesce(sum(looks), 0) from album_days)
    and (select coalesce(sum(looks), 0) from item_months) = (select coalesce(sum(looks), 0) from item_days),
    'a month is not the sum of its days';
end $$;
reset role;
