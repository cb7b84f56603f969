-- An event about a payment that no order knows is looked up here.
create index disputes_fee_payment on disputes (fee_payment_id) where fee_payment_id is not null;
