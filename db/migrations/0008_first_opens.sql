-- Until which opening the maker of a link has been told. Told are those that count; links that were opened before this was
-- kept are told of nothing that is past.
alter table magic_links add column opens_told_until timestamptz;
set local role app_system;
do $$
declare
  opened bigint := (select count(*) from magic_links where first_opened_at is not null);
  told bigint;
begin
  update magic_links set opens_told_until = greatest(first_opened_at, last_opened_at) where first_opened_at is not null;
  get diagnostics told = row_count;
  assert told = opened, 'row-level security hid links from the migration';
end $$;
reset role;
create index magic_links_untold on magic_links (first_opened_at) where opens_told_until is null and first_opened_at is not null;
create index magic_links_every on magic_links (opens_told_until) where notify = 'every';
