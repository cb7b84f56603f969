-- A tip that was sent on a creator's own page: it opens nothing. Whoever sends it may sign it with a name.
alter table checkout_orders
  add column on_page boolean not null default false,
  add column signed_by text not null default '' check (length(signed_by) <= 40);
create unique index checkout_orders_page_tip on checkout_orders (creator_id, viewer_id, provider, livemode)
  where state = 'pending' and kind = 'tip' and on_page;
