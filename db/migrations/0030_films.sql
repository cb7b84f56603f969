-- Films: their stored segments, and how far their making is.

alter table media add column progress smallint check (progress between 0 and 100);
-- Seconds between two cells of the storyboard.
alter table media add column cell_seconds integer;

-- Length of each segment of a film's rendition; `path` of such a pack names its clear beginning.
alter table packs add column durations_us integer[];

-- The segments of a rendition in one file for each slot, each encrypted on its own, in order and without padding between them.
create table segment_files (
  pack_id uuid not null references packs on delete cascade,
  slot smallint not null check (slot in (0, 1)),
  creator_id uuid not null references users on delete cascade,
  path text not null,
  bytes bigint not null,
  sha256 bytea not null,
  -- Ciphertext bytes of each segment.
  lengths integer[] not null,
  primary key (pack_id, slot)
);
create index segment_files_creator on segment_files (creator_id);
select wall('segment_files', 'creator_id', 'true', 'select');
