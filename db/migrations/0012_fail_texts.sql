-- What a person reads of a failure, with the limits that were in force then; empty for those before this was kept.
alter table media add column fail_text text;
