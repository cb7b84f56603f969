-- What one creator is given as the id of a viewer, and what "Viewer 4F2A" is made from. It is random, so that two creators who
-- compare what they see cannot tell that they have a viewer in common; what the app itself knows of a viewer keeps the real id.
create table viewer_pseudonyms (
  creator_id uuid not null references users on delete cascade,
  viewer_id uuid not null references viewers on delete cascade,
  id uuid not null unique default gen_random_uuid(),
  primary key (creator_id, viewer_id)
);
create index viewer_pseudonyms_viewer on viewer_pseudonyms (viewer_id);
select wall('viewer_pseudonyms', 'creator_id', 'true', 'select');

set local role app_system;
do $$
declare
  known bigint := (select count(*) from (select creator_id, viewer_id from link_viewers
    union select user_id, viewer_id from album_access_requests) k);
  made bigint;
begin
  insert into viewer_pseudonyms (creator_id, viewer_id) select creator_id, viewer_id from link_viewers
    union select user_id, viewer_id from album_access_requests;
  get diagnostics made = row_count;
  assert made = known, 'row-level security hid admissions or requests from the migration';
end $$;
reset role;

-- Nobody is let in or asks to be without one: a list of viewers has no gaps.
alter table link_viewers add constraint link_viewers_pseudonym foreign key (creator_id, viewer_id)
  references viewer_pseudonyms (creator_id, viewer_id) on delete cascade;
alter table album_access_requests add constraint album_access_requests_pseudonym foreign key (user_id, viewer_id)
  references viewer_pseudonyms (creator_id, viewer_id) on delete cascade;
