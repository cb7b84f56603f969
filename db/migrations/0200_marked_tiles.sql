-- In how many tiles of a photo's largest rendition the mark outlived the codec. Each tile is one bit of whom a copy names, so of a
-- picture with few of them its creator is told that it can hardly be traced. Null: not counted.
alter table media add column marked_tiles smallint check (marked_tiles between 0 and 512);
