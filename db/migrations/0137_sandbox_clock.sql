-- By how much a developer has turned the clock of links, visits and test payments: a restart goes on where it was.
alter table sandbox_settings add column clock_offset_ms bigint not null default 0;
