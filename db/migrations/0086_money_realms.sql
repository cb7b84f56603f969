-- What somebody is paying for with a test card is another order than what they pay for in earnest.
drop index checkout_orders_pending;
create unique index checkout_orders_pending on checkout_orders (link_id, viewer_id, kind, provider, livemode) where state = 'pending';
-- Test payments of old are looked for at each start; there are few, and none once they were retired.
create index checkout_orders_tests on checkout_orders (provider) where retired_at is null and not livemode;
