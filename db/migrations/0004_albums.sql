create table albums (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null check (length(name) between 1 and 80),
  description text not null default '' check (length(description) <= 1000),
  cover_media_id uuid references media on delete set null,
  state text not null default 'draft' check (state in ('draft', 'ready', 'archived', 'locked', 'deleting')),
  is_protected boolean not null default false,
  price_cents integer check (price_cents between 500 and 50000),
  currency text not null default 'usd',
  teaser text not null default 'blur' check (teaser in ('none', 'blur')),
  teaser_count integer not null default 0 check (teaser_count between 0 and 12),
  allow_tips boolean not null default true,
  allow_custom_requests boolean not null default true,
  allow_requests boolean not null default true,
  watermark_text text check (length(watermark_text) <= 60),
  watermark_visible text not null default 'tiled' check (watermark_visible in ('off', 'corner', 'tiled')),
  content_rating text check (content_rating in ('general', 'suggestive', 'explicit')),
  people_consent text check (people_consent in ('only_me', 'others_with_consent')),
  sort text not null default 'manual' check (sort in ('manual', 'newest', 'oldest')),
  created_at timestamptz not null,
  published_at timestamptz,
  archived_at timestamptz,
  delete_at timestamptz,
  state_before text,
  taken_down_at timestamptz,
  updated_at timestamptz not null default now()
);
create index albums_user on albums (user_id, created_at desc, id desc);
create index albums_cover on albums (cover_media_id);
create index albums_deleting on albums (delete_at) where delete_at is not null;
create trigger touch before update on albums for each row execute function touch_updated_at();
select wall('albums', 'user_id', 'true', 'select, insert, delete');
grant update (name, description, cover_media_id, state, state_before, is_protected, price_cents, teaser, teaser_count, allow_tips, allow_custom_requests, allow_requests,
  watermark_text, watermark_visible, content_rating, people_consent, sort, published_at, archived_at, delete_at) on albums to app_user;

create table album_items (
  album_id uuid not null references albums on delete cascade,
  media_id uuid not null references media on delete cascade,
  user_id uuid not null references users on delete cascade,
  position integer not null,
  caption text not null default '' check (length(caption) <= 140),
  sensitive boolean not null default false,
  hidden boolean not null default false,
  not_in_teaser boolean not null default false,
  added_at timestamptz not null,
  primary key (album_id, media_id)
);
create index album_items_order on album_items (album_id, position, media_id);
create index album_items_media on album_items (media_id);
create index album_items_user on album_items (user_id);
select wall('album_items', 'user_id', 'exists (select 1 from albums a where a.id = album_id) and exists (select 1 from media m where m.id = media_id)');

alter table uploads add foreign key (album_id) references albums on delete set null;
create index uploads_album on uploads (album_id);
