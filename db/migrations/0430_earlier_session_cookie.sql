-- On https a session's cookie is called __Host-pf.session_token from now on. Sessions that began under its earlier name may still
-- be read by that one until they would have ended unused.
alter table auth_sessions add column earlier_cookie_until timestamptz;
update auth_sessions set earlier_cookie_until = expires_at;
