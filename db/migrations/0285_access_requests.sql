-- Who asked to see an album that its creator opens by hand, and what was given. A request for a link with several albums is one row for
-- each of them, with one `request_group`, and is decided as a whole.
create table album_access_requests (
  id uuid primary key,
  album_id uuid not null references albums on delete cascade,
  user_id uuid not null references users on delete cascade,
  link_id uuid not null references magic_links on delete cascade,
  viewer_id uuid not null references viewers on delete cascade,
  request_group uuid not null,
  request_status text not null default 'pending' check (request_status in ('pending', 'approved', 'denied', 'withdrawn', 'expired')),
  requester_name text not null check (length(requester_name) between 1 and 60),
  requester_message text not null default '' check (length(requester_message) <= 500),
  -- To be told of the answer; nothing is opened by it.
  requester_email text check (length(requester_email) <= 254),
  -- {userAgent, platform}: kinds alone, as "Safari" and "iPhone".
  requester_device_info jsonb not null default '{}',
  country text,
  -- Told to whoever asked, when it was denied.
  decision_text text not null default '' check (length(decision_text) <= 300),
  -- From when a denied viewer may ask again; null for never, and for what was not denied.
  asks_again_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  reviewed_at timestamptz,
  reviewed_by uuid references users on delete set null,
  check ((request_status in ('approved', 'denied')) = (reviewed_at is not null))
);
create unique index album_access_requests_pending on album_access_requests (viewer_id, album_id) where request_status = 'pending';
create index album_access_requests_viewer on album_access_requests (viewer_id, album_id, created_at desc);
create index album_access_requests_owner on album_access_requests (user_id, created_at desc, id desc);
create index album_access_requests_waiting on album_access_requests (expires_at) where request_status = 'pending';
create index album_access_requests_album on album_access_requests (album_id);
create index album_access_requests_link on album_access_requests (link_id);
create index album_access_requests_group on album_access_requests (request_group);
create index album_access_requests_reviewer on album_access_requests (reviewed_by) where reviewed_by is not null;
select wall('album_access_requests', 'user_id', 'true', 'select, update');

-- What a creator has opened by hand: one album to one viewer. It is bound to the viewer; the fingerprint is evidence and opens nothing.
create table album_access_grants (
  id uuid primary key,
  album_id uuid not null references albums on delete cascade,
  user_id uuid not null references users on delete cascade,
  access_request_id uuid unique references album_access_requests on delete set null,
  viewer_id uuid not null references viewers on delete cascade,
  link_id uuid references magic_links on delete set null,
  policy_version integer,
  source text not null check (source in ('approval', 'manual')),
  granted_to_fingerprint text check (length(granted_to_fingerprint) <= 100),
  granted_by uuid references users on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz
);
create index album_access_grants_viewer on album_access_grants (viewer_id, album_id) where revoked_at is null;
create index album_access_grants_owner on album_access_grants (user_id, created_at desc, id desc);
create index album_access_grants_album on album_access_grants (album_id);
create index album_access_grants_link on album_access_grants (link_id);
create index album_access_grants_giver on album_access_grants (granted_by);
select wall('album_access_grants', 'user_id',
  'exists (select 1 from albums a where a.id = album_id)', 'select, insert, update');
