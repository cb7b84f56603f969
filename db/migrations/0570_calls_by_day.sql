-- How often a procedure was called on a day of UTC, for a month.
create table call_days (
  day date not null,
  name text not null check (length(name) between 1 and 200),
  calls integer not null,
  errors integer not null,
  primary key (day, name)
);
select wall('call_days');
insert into call_days (day, name, calls, errors)
  select (slot at time zone 'UTC')::date, name, sum(calls), sum(errors) from call_figures where kind = 'procedure' group by 1, 2;

-- Procedures that a run has called and that did what they were asked.
alter table full_checks add column passed_calls text[] not null default '{}';
