-- What was refunded of an order and has come back since, because the buyer's bank did not take it: it is still owed.
alter table checkout_orders add column unreturned_cents bigint not null default 0 check (unreturned_cents >= 0);
