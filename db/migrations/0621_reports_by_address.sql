-- What an address has reported, the newest first, on the card of its account.
create index reports_by_address on reports (email, created_at desc);
