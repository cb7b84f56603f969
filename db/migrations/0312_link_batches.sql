-- Links that were made together, from one list of names, so that the same call once more answers with the same links.
alter table magic_links add column batch_id uuid;
create index magic_links_batch on magic_links (batch_id) where batch_id is not null;
