-- The last seal that a check has seen: an end that is cut off and grows again is another one.
alter table audit_checks add column hash bytea;
