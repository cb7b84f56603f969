-- What was done about an event before what was done last, and still stands: [{action, at, isAutomatic}], oldest first.
alter table security_events
  add column acted_before jsonb not null default '[]',
  add constraint security_events_acted_before_check check (length(acted_before::text) <= 400);
