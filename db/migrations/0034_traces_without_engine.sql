-- A clip that nothing here can read is no clip of a wrong kind: its sender is told so.
alter table traces
  drop constraint traces_fail_code_check,
  add constraint traces_fail_code_check check (fail_code in ('UNSUPPORTED', 'CORRUPT', 'TOO_BIG', 'TIMEOUT', 'NO_ENGINE'));
