-- Whoever pays for a link pays once, whether by its price or by a tip: a double tap is one order, and so is a change of mind.
drop index checkout_orders_pending;
create unique index checkout_orders_pending on checkout_orders (link_id, viewer_id, provider, livemode)
  where state = 'pending' and kind in ('tip', 'album', 'bundle');
