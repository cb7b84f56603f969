-- Days to deliver count from the payment: until then a request has days, and no day on which it is due.
alter table custom_requests add column due_days integer check (due_days >= 1 and due_days <= 30);
-- What was answered and is not paid yet keeps the days that were promised with the answer, 48 or 72 hours before it runs out.
update custom_requests set
  due_days = least(30, greatest(1, round(extract(epoch from due_at - act_until + case when is_counter then interval '72 hours' else interval '48 hours' end) / 86400)))
where state = 'quoted' and paid_at is null and due_at is not null and act_until is not null;
update custom_requests set due_at = null where due_days is not null;
