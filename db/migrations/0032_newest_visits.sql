-- A link's visits of one creator are one part of an index: with the creator's own beside it, as row-level security asks for them,
-- no page of links reads more than it shows, whatever the planner believes. `nulls last` lets no other index give this order.
create index viewer_sessions_of_link on viewer_sessions (link_id, creator_id, started_at desc nulls last, id desc);
drop index viewer_sessions_link;
