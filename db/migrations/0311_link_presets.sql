-- Rules that a creator keeps under a name, to begin new links with; never a password, an age or a day of the calendar, which are
-- said anew for each link. `ends_after_hours` is null where such a link never ends.
create table link_presets (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null check (length(name) between 1 and 40),
  policy jsonb not null,
  ends_after_hours integer check (ends_after_hours between 1 and 8760),
  is_default boolean not null default false,
  created_at timestamptz not null
);
create index link_presets_of_creator on link_presets (user_id, created_at, id);
-- New links begin with one of them at most.
create unique index link_presets_default on link_presets (user_id) where is_default;
select wall('link_presets', 'user_id');
