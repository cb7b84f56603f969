-- Browsers that tapped Open and were not let in: by the cookie that their first answer gave, hashed, once for each link. A row goes
-- as soon as its browser is let in, and after 13 months.
create table gate_visitors (
  link_id uuid not null references magic_links on delete cascade,
  browser_hash bytea not null check (length(browser_hash) = 32),
  creator_id uuid not null references users on delete cascade,
  -- When it came first, in UTC: of one link and day only so many are written.
  day date not null,
  last_at timestamptz not null,
  -- The link could have let it in; else it had ended, was full or had not begun.
  is_at_gate boolean not null,
  primary key (link_id, browser_hash)
);
create index gate_visitors_creator on gate_visitors (creator_id, last_at);
create index gate_visitors_day on gate_visitors (link_id, day);
create index gate_visitors_old on gate_visitors (last_at);
select wall('gate_visitors', 'creator_id', 'true', 'select');

-- When each viewer last came by each link, and last viewed something there: what people did in a span that ends now is counted
-- from it, whatever the stream has grown to.
create table link_seen (
  creator_id uuid not null references users on delete cascade,
  link_id uuid not null,
  viewer_id uuid not null,
  last_at timestamptz not null,
  last_view_at timestamptz,
  primary key (creator_id, link_id, viewer_id)
);
create index link_seen_span on link_seen (creator_id, last_at);
create index link_seen_old on link_seen (last_at);
select wall('link_seen', 'creator_id', 'true', 'select');

-- What the fold has not reached yet may be in it already: a later moment is all that a fold ever writes.
set local role app_system;
do $$
declare
  seen bigint := (select count(distinct (creator_id, link_id, viewer_id)) from view_events where kind in ('open', 'view'));
  made bigint;
begin
  insert into link_seen (creator_id, link_id, viewer_id, last_at, last_view_at)
  select creator_id, link_id, viewer_id, max(at), max(at) filter (where kind = 'view') from view_events
  where kind in ('open', 'view') group by 1, 2, 3;
  get diagnostics made = row_count;
  assert made = seen, 'row-level security hid events from the migration';
end $$;
reset role;
