-- What people report: pictures of them that they never agreed to, and everything else that should not be here.
create table reports (
  id uuid primary key,
  number integer not null unique check (number between 10000000 and 99999999),
  kind text not null check (kind in ('intimate', 'minor', 'copyright', 'impersonation', 'other')),
  state text not null check (state in ('received', 'hidden', 'removed', 'rejected')),
  -- As it was typed, and the link that this is, if it is one.
  target text not null check (length(target) <= 500),
  link_id uuid references magic_links (id) on delete set null,
  creator_id uuid references users (id) on delete set null,
  details text not null check (length(details) <= 4000),
  on_behalf text not null check (on_behalf in ('self', 'other')),
  name text not null check (length(name) <= 80),
  email text not null check (length(email) <= 254),
  -- A keyed hash of where it came from: who reports falsely again and again hides nothing any more.
  network text not null,
  created_at timestamptz not null,
  decide_by timestamptz not null,
  decided_at timestamptz,
  reason text check (length(reason) <= 1000),
  acknowledged_at timestamptz,
  check ((decided_at is not null) = (state in ('removed', 'rejected')))
);
create index reports_waiting on reports (decide_by) where decided_at is null;
create index reports_decided on reports (decided_at) where decided_at is not null;
create index reports_network on reports (network, decided_at) where state = 'rejected';
create index reports_link on reports (link_id);
create index reports_creator on reports (creator_id);
create index reports_acknowledged on reports (email, acknowledged_at) where acknowledged_at is not null;
select wall('reports');

-- What a report hides; a link or an album that two reports hide comes back when both are rejected.
create table report_targets (
  report_id uuid not null references reports (id) on delete cascade,
  link_id uuid references magic_links (id) on delete cascade,
  album_id uuid references albums (id) on delete cascade,
  check ((link_id is null) <> (album_id is null)),
  unique nulls not distinct (report_id, link_id, album_id)
);
create index report_targets_link on report_targets (link_id) where link_id is not null;
create index report_targets_album on report_targets (album_id) where album_id is not null;
select wall('report_targets');
