-- How many days after a sale a creator's part may leave at the earliest. What stands in the books already keeps its day.
alter table user_stripe_accounts
  add column settlement_days smallint not null default 7 check (settlement_days between 0 and 31);
