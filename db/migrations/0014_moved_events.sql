-- Events that came from another server have its numbers no more: the oldest of them are found by their time. Nothing that is
-- written here is in it.
create index view_events_moved on view_events (at) where xid = '0';
