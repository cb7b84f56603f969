-- A run of the full check may be of one part only; null for the whole of it.
alter table full_checks add column part text check (part in ('payment'));
