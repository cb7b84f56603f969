-- A transfer of what was held is taken back only from what its account has. Since when that was refused for certain: what is owed is
-- tried again, and nothing else is paid out of it meanwhile.
alter table disputes add column back_refused_at timestamptz;
alter table refunds add column given_refused_at timestamptz;
