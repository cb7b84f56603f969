-- A renewal is a draft before it is charged, and may stay one: its invoice, since when, and why it could not be made final.
alter table platform_subscriptions
  add column draft_invoice_id text,
  add column draft_since timestamptz,
  add column finalization_error text,
  add column finalize_at timestamptz;
alter table fan_subscriptions
  add column draft_invoice_id text,
  add column draft_since timestamptz,
  add column finalization_error text;
