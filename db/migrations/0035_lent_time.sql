-- Whoever tells nothing of their watching still uses up a viewing time: what was lent takes so long to look at.
alter table link_viewers add column lent_ms bigint not null default 0;
