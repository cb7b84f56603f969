-- What the provider is asked about until it says how it ended: an order that was ended here may still be paid there.
create index checkout_orders_asked on checkout_orders (created_at)
  where state in ('pending', 'canceled', 'failed') and session_id is not null;

-- Keyed hash of the network that somebody pays from, for as long as they do: one network keeps few places of a link at a time.
alter table place_reservations add column network text;
