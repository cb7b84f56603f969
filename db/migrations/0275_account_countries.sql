-- The country of a creator's payout account, fixed when it is made. All that there are were made in one.
alter table user_stripe_accounts add column country text not null default 'US' check (country ~ '^[A-Z]{2}$');
alter table user_stripe_accounts alter column country drop default;
