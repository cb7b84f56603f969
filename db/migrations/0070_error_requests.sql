-- The request that an error of a page belongs to, as the log of the server knows it.
alter table error_logs add column request_id text check (length(request_id) <= 100);
