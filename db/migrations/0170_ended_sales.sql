-- What was for sale may be taken away while somebody pays for it. Then the order is ended in the transaction of that end, and what is
-- paid afterwards goes back at once. What turns out to have been paid before loses both again.
alter table checkout_orders
  add column ended_at timestamptz,
  add column ended_why text,
  add constraint checkout_orders_ended check ((ended_at is null) = (ended_why is null));
alter table credit_orders
  add column ended_at timestamptz,
  add column ended_why text,
  add constraint credit_orders_ended check ((ended_at is null) = (ended_why is null));
alter table plan_checkouts
  add column ended_at timestamptz,
  add column ended_why text,
  add constraint plan_checkouts_ended check ((ended_at is null) = (ended_why is null));

-- Money that came too late and is still here.
create index checkout_orders_late on checkout_orders (paid_at) where ended_at is not null and state in ('paid', 'partially_refunded');

alter table refunds drop constraint refunds_cause_check;
alter table refunds add constraint refunds_cause_check
  check (cause in ('link_ended', 'viewer_ended', 'album_deleted', 'creator_left', 'suspended', 'late_payment', 'paid_after_end'));
