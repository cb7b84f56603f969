-- How often the way to the home screen was put off, and when last.
alter table users add column home_screen_wizard_skips integer not null default 0;
alter table users add column home_screen_wizard_skipped_at timestamptz;
grant update (home_screen_wizard_skips, home_screen_wizard_skipped_at) on users to app_user;

-- The PIN with which somebody locks the app on her devices.
create table app_locks (
  user_id uuid primary key references users on delete cascade,
  pin_hash text not null,
  created_at timestamptz not null
);
select wall('app_locks');

-- Since when nothing of a session is in sight, and how many wrong PINs it was given.
alter table auth_sessions add column away_at timestamptz;
alter table auth_sessions add column wrong_pins integer not null default 0;
