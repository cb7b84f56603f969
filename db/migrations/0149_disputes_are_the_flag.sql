-- Who has disputed a payment is told by the disputes themselves, with how each of them stands.
alter table viewers drop column disputed_at;
