-- A creator who is suspended or leaves ends what her subscribers have paid for: what is left of it goes back, decided once.
alter table fan_subscriptions add column cut_cents bigint check (cut_cents > 0);
