-- While the bank has the payment of a request nobody can do anything about it: since when its times stand still. Null when they run.
alter table custom_requests add column stopped_at timestamptz;

update custom_requests r set stopped_at = coalesce((select min(d.opened_at) from disputes d where d.order_id = o.id and d.decided_at is null), now())
from checkout_orders o where o.id = r.order_id and o.state = 'disputed' and r.closed_at is null;

-- Since when the provider has refused to send a creator what was held for her, and why, in a word of ours; null while its last answer
-- was no refusal. And when the operator was told.
alter table held_releases add column refused_at timestamptz;
alter table held_releases add column refused_why text;
alter table held_releases add column told_at timestamptz;
