create table magic_links (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  link_name text not null default '' check (length(link_name) <= 80),
  slug text not null unique check (length(slug) between 12 and 80),
  recipient_name text check (length(recipient_name) <= 60),
  recipient_channel text check (recipient_channel in ('whatsapp', 'instagram', 'email', 'sms', 'other')),
  note text not null default '' check (length(note) <= 200),
  welcome_text text not null default '' check (length(welcome_text) <= 300),
  policy jsonb not null,
  policy_version integer not null default 1,
  password_hash text,
  password_version integer not null default 0,
  preset_id uuid,
  is_revoked boolean not null default false,
  revoked_at timestamptz,
  revoked_reason text check (revoked_reason in ('manual', 'panic', 'auto_security', 'admin', 'album_deleted')),
  undo_until timestamptz,
  expires_at timestamptz,
  views_count integer not null default 0,
  unique_viewers integer not null default 0,
  watch_ms bigint not null default 0,
  earnings_cents bigint not null default 0,
  first_opened_at timestamptz,
  last_opened_at timestamptz,
  notify text not null default 'first' check (notify in ('first', 'every', 'none')),
  taken_down_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null default now()
);
create index magic_links_user on magic_links (user_id, created_at desc, id desc);
create trigger touch before update on magic_links for each row execute function touch_updated_at();
select wall('magic_links', 'user_id', 'true', 'select, insert');
grant update (link_name, recipient_name, recipient_channel, note, welcome_text, policy, policy_version, password_hash, password_version, preset_id, is_revoked, revoked_at, revoked_reason, undo_until, expires_at, notify) on magic_links to app_user;

create table link_albums (
  link_id uuid not null references magic_links on delete cascade,
  album_id uuid not null references albums on delete cascade,
  user_id uuid not null references users on delete cascade,
  position integer not null default 0,
  primary key (link_id, album_id)
);
create index link_albums_album on link_albums (album_id);
create index link_albums_user on link_albums (user_id);
select wall('link_albums', 'user_id', 'exists (select 1 from magic_links l where l.id = link_id) and exists (select 1 from albums a where a.id = album_id)');

create table link_policy_log (
  link_id uuid not null references magic_links on delete cascade,
  version integer not null,
  user_id uuid not null references users on delete cascade,
  policy jsonb not null,
  expires_at timestamptz,
  by_user uuid,
  at timestamptz not null,
  primary key (link_id, version)
);
create index link_policy_log_user on link_policy_log (user_id);
select wall('link_policy_log', 'user_id', 'exists (select 1 from magic_links l where l.id = link_id)', 'select, insert');
