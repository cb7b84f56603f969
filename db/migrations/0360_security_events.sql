-- What happened at a link that its creator may want to know of: reported by a viewer's browser, or seen by the server. The same again
-- within ten seconds is one row. A row stays as it was reported; only its count, its last moment and what was done about it change.
create table security_events (
  id uuid primary key,
  creator_id uuid not null references users on delete cascade,
  magic_link_id uuid not null references magic_links on delete cascade,
  -- The visit that reported it; null for what is seen at the door.
  session_id uuid references viewer_sessions on delete set null,
  viewer_id uuid references viewers on delete set null,
  event_type text not null check (event_type ~ '^[a-z_]{1,40}$'),
  risk text not null check (risk in ('high', 'medium', 'low')),
  source text not null check (source in ('client', 'server')),
  count integer not null default 1 check (count > 0),
  timestamp timestamptz not null,
  last_at timestamptz not null,
  -- {platform, screen}: kinds alone, as "iPhone" and "390x844".
  device_info jsonb not null default '{}' check (length(device_info::text) <= 200),
  -- Figures and ids of what the server saw, never content.
  details jsonb not null default '{}' check (length(details::text) <= 400),
  -- Stands for what one visit or one link had too much of.
  is_rest boolean not null default false,
  handled_at timestamptz,
  action_taken text check (action_taken in ('warned', 'closed', 'revoked', 'blocked', 'ignored')),
  -- The link's own rule has answered, not its creator.
  is_automatic boolean not null default false,
  undone_at timestamptz,
  check ((action_taken is null) = (handled_at is null)),
  check (undone_at is null or action_taken is not null)
);
create index security_events_creator on security_events (creator_id, timestamp desc, id desc);
create index security_events_risk on security_events (creator_id, risk, timestamp desc, id desc);
create index security_events_link on security_events (magic_link_id, timestamp desc, id desc);
create index security_events_visit on security_events (session_id, event_type, last_at desc) where session_id is not null;
create index security_events_viewer on security_events (viewer_id, magic_link_id, last_at desc) where viewer_id is not null;
create index security_events_rest on security_events (magic_link_id, event_type, last_at desc) where session_id is null;
select wall('security_events', 'creator_id', 'true', 'select');
