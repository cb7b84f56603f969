-- What came in each hour of a day where the creator is: by it a week is drawn, whatever the stream has grown to.
create table creator_hours (
  creator_id uuid not null references users on delete cascade,
  day date not null,
  hour smallint not null check (hour between 0 and 23),
  opens integer not null default 0,
  views integer not null default 0,
  watch_ms bigint not null default 0,
  primary key (creator_id, day, hour)
);
select wall('creator_hours', 'creator_id', 'true', 'select');

-- Only what the fold has reached: the rest is added by it.
set local role app_system;
do $$
declare
  told bigint := (select count(*) from view_events where kind = 'open' and xid < (select xid from fold_watermarks where name = 'views'));
  made bigint;
begin
  insert into creator_hours (creator_id, day, hour, opens, views, watch_ms)
  select e.creator_id, (e.at at time zone known_zone(u.time_zone))::date, extract(hour from e.at at time zone known_zone(u.time_zone)),
    count(*) filter (where e.kind = 'open'), count(*) filter (where e.kind = 'view'), coalesce(sum(e.ms_visible), 0)
  from view_events e join users u on u.id = e.creator_id
  where e.xid < (select xid from fold_watermarks where name = 'views') group by 1, 2, 3;
  select coalesce(sum(opens), 0) into made from creator_hours;
  assert made = told, 'row-level security hid events from the migration';
end $$;
reset role;
