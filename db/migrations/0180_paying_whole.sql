-- An event about a payment or a charge finds what was paid by our own rows.
create index checkout_orders_payment on checkout_orders (payment_id);

-- What has become due in the sandbox is found without reading all that ever was there.
create index sandbox_objects_open on sandbox_objects (((body->>'expires_at')::bigint)) where type = 'checkout.session' and body->>'status' = 'open';
create index sandbox_objects_in_transit on sandbox_objects (((body->>'arrival_date')::bigint)) where type = 'payout' and body->>'status' = 'in_transit';
create index sandbox_objects_unanswered on sandbox_objects (((body->'evidence_details'->>'due_by')::bigint))
  where type = 'dispute' and body->>'status' = 'needs_response';
