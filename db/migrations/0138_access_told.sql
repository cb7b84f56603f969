-- How long what was bought can be looked at from its first opening on, by the rules under which it was bought; null without a limit.
alter table checkout_orders add column open_for_ms bigint check (open_for_ms > 0);
-- Whoever paid was told that this time is nearly over, and that the creator has ended it.
alter table checkout_orders add column told_ending_at timestamptz;
alter table checkout_orders add column told_ended_at timestamptz;

update checkout_orders o set open_for_ms = (p.policy ->> 'openForMs')::bigint
from link_policy_log p where p.link_id = o.link_id and p.version = o.policy_version and p.policy ? 'openForMs';

create index checkout_orders_ending on checkout_orders (opened_at)
where open_for_ms is not null and told_ending_at is null;
