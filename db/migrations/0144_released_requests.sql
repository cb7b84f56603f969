-- Access to what was delivered may be ended by its creator after the release: those that were released lately are looked through.
create index custom_requests_released on custom_requests (closed_at) where state = 'released';
