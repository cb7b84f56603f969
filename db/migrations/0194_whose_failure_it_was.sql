-- Whoever writes an email says whether it carries a code or link that expires: how long that works is a setting. A try that failed is
-- the operator's matter when the server had not even been told for whom it was.
alter table mail_outbox
  add column is_urgent boolean not null default false,
  add column is_failure_ours boolean not null default false;
set local role app_system;
update mail_outbox set is_urgent = true where state in ('queued', 'given_up') and template in (
  'confirm', 'proof_code', 'set_password', 'reset_password', 'purchases', 'pass_code', 'request_code', 'request_proof');
update mail_outbox set is_failure_ours = true where state in ('queued', 'given_up') and tries > 0;
reset role;
