-- Null until a look has found something out: what the first one lists is not more than before.
alter table junk_plans
  alter column ids drop not null,
  alter column ids drop default;
