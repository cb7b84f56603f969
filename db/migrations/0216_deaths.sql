-- How often a program has died over a video since it was last begun by its creator; running out of time is no death.
alter table media add column deaths smallint not null default 0 check (deaths >= 0);
