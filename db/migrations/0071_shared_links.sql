-- When a link's address was first copied or shared by its creator.
alter table magic_links add column shared_at timestamptz;
grant update (shared_at) on magic_links to app_user;
