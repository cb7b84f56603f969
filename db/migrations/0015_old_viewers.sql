-- Who was last seen before a moment, over all creators: what is forgotten is found without a look at who came since.
create index creator_viewers_old on creator_viewers (last_view_at);
