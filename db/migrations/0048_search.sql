-- People search and sort by letters, not by code points: "cafe" finds "Café", apple comes before Zebra, 9 before 10.
-- What a search looks in is folded by the app (kit/search.ts); what stands here already is folded once by the same rules.
do $$
begin
  create collation natural_order (provider = icu, locale = 'und-u-kn');
exception when feature_not_supported or undefined_object or invalid_parameter_value then
  -- A server without ICU: folded text in the order of its code points, with natural_key for its numbers.
  create collation natural_order from "C";
end $$;

-- Text whose numbers have twenty digits each, so that they sort by their value under every collation.
create function natural_key(words text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(regexp_replace(words, '([0-9]+)', '00000000000000000000\1', 'g'), '[0-9]*([0-9]{20})(?![0-9])', '\1', 'g')
$$;

alter table albums add column search_text text not null default '';
alter table magic_links add column search_text text not null default '';
grant update (search_text) on albums, magic_links to app_user;

create function fold_once(words text) returns text language sql as $$
  select btrim(regexp_replace(translate(replace(replace(replace(replace(
      lower(regexp_replace(normalize(lower(lower(words) collate natural_order), nfkd),
        '[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\ufe0e\ufe0f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]', '', 'g')),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    'øłđðħŧıς‘’ʼ“”„‐‑–—', 'olddhtiσ''''''"""----'), '\s+', ' ', 'g'))
$$;
set local role app_system;
update albums set search_text = fold_once(name);
update magic_links set search_text = concat_ws(E'\n', fold_once(link_name), fold_once(coalesce(recipient_name, '')), fold_once(note));
do $$
begin
  assert not exists (select from albums where search_text = '' and name ~ '[a-z0-9]')
    and not exists (select from magic_links where link_name ~ '[a-z0-9]' and search_text !~ '[a-z0-9]'), 'a name was not folded';
end $$;
reset role;
drop function fold_once;
