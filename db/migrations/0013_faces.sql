-- How a creator shows herself: a picture, and a page of her own that is closed until she opens it.
alter table users
  -- Opens the stored picture: its path and its key are made of it, and its address holds it.
  add column avatar_name text check (avatar_name ~ '^[A-Za-z0-9]{32}$'),
  -- The same picture, small enough to travel inside an answer to a viewer.
  add column avatar_small bytea check (octet_length(avatar_small) <= 3072),
  add column has_public_page boolean not null default false,
  add constraint users_avatar_whole check ((avatar_name is null) = (avatar_small is null));
grant update (avatar_name, avatar_small, has_public_page) on users to app_user;
