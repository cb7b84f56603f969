-- What visitors of public pages looked at who agreed to it. Nobody needs their address: its column stays empty.
create table visit_events (
  id uuid primary key,
  vid text not null check (length(vid) <= 60),
  path text not null check (length(path) <= 200),
  referrer text check (length(referrer) <= 300),
  utm jsonb,
  ip_address text check (ip_address is null),
  user_agent text not null check (length(user_agent) <= 400),
  -- Whom the visitor turned out to be, from the first sign-in on.
  user_id uuid references users on delete cascade,
  created_at timestamptz not null
);
create index visit_events_vid on visit_events (vid, created_at);
create index visit_events_user on visit_events (user_id);
create index visit_events_created on visit_events (created_at);
select wall('visit_events');

-- What came of visits: accounts that were made, and sign-ins.
create table conversion_events (
  id uuid primary key,
  session_id text not null check (length(session_id) <= 60),
  conversion_type text not null check (conversion_type in ('signup', 'signin')),
  user_id uuid references users on delete cascade,
  conversion_value integer,
  page_path text not null check (length(page_path) <= 200),
  created_at timestamptz not null
);
create index conversion_events_user on conversion_events (user_id);
create index conversion_events_created on conversion_events (created_at);
select wall('conversion_events');
