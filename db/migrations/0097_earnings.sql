-- The list of what a creator earned is read newest first: what was paid, and what of it went back, which is little.
create index checkout_orders_paid on checkout_orders (creator_id, paid_at desc, id desc) where paid_at is not null;
create index checkout_orders_returned on checkout_orders (creator_id)
  where paid_at is not null and (refunded_cents > 0 or state in ('disputed', 'charged_back'));
