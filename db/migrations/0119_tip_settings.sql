-- What a creator offers by one tap to whoever tips, and what she says to them afterwards.
create table tip_settings (
  user_id uuid primary key references users on delete cascade,
  presets_cents integer[] not null check (cardinality(presets_cents) = 4),
  thanks text not null check (length(thanks) <= 200)
);
select wall('tip_settings', 'user_id');
