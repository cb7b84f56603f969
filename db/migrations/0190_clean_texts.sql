-- What XML forbids made an email's HTML impossible, and a line break in a name wrote a line of its own into receipts. The app stores
-- neither any more (kit/clean-text.ts); what stands here already is cleaned once by the same rules.
create function clean_once(words text, one_line boolean) returns text language sql immutable as $$
  select regexp_replace(
    case when one_line then btrim(regexp_replace(words, '[[:space:]\u0085]*[\u0009-\u000d\u0085\u2028\u2029]+[[:space:]\u0085]*', ' ', 'g'))
      else regexp_replace(words, '\u000d\u000a|[\u000b-\u000d\u0085\u2028\u2029]', E'\n', 'g') end,
    '[\u0001-\u0008\u000e-\u001f\ufffe\uffff]', '', 'g')
$$;

set local role app_system;
do $$
declare
  one record;
  pattern text;
begin
  for one in
    select split_part(place, '.', 1) as owner, split_part(place, '.', 2) as name, one_line, least_letters
    from (
      select unnest(array[
        'users.display_name', 'albums.watermark_text', 'album_items.caption', 'magic_links.link_name', 'magic_links.recipient_name',
        'checkout_orders.creator_name', 'checkout_orders.signed_by', 'custom_requests.creator_name',
        'fan_subscriptions.creator_name', 'fan_subscriptions.tier_name', 'support_requests.name', 'support_requests.subject',
        'reports.name', 'reports.target', 'viewers.display_name', 'media.original_name', 'uploads.original_name',
        'error_logs.component', 'error_logs.url', 'payouts.failure'
      ]) as place, true as one_line, 0 as least_letters
      union all values
        ('albums.name', true, 1), ('fan_tiers.name', true, 1), ('viewer_aliases.alias', true, 1),
        ('join_tokens.label', true, 1), ('custom_requests.title', true, 1), ('affiliates.name', true, 2)
      union all select unnest(array[
        'users.bio', 'albums.description', 'fan_tiers.benefits', 'magic_links.note', 'magic_links.welcome_text',
        'checkout_orders.message', 'checkout_orders.terms_shown', 'support_requests.message', 'reports.details', 'reports.reason',
        'tip_settings.thanks', 'refund_requests.text', 'refund_requests.answer', 'refunds.note',
        'payout_appeals.answer', 'payout_holds.note', 'request_settings.wont_do', 'dispute_evidence.objection',
        'error_logs.error_message', 'error_logs.error_stack'
      ]), false, 0
      union all values ('custom_requests.brief', false, 1), ('payout_appeals.text', false, 1), ('affiliates.audience', false, 10)
    ) as places
  loop
    pattern := case when one.one_line then '[\u0001-\u001f\u0085\u2028\u2029\ufffe\uffff]'
      else '[\u0001-\u0008\u000b-\u001f\u0085\u2028\u2029\ufffe\uffff]' end;
    execute format(
      'update %1$I set %2$I = case when length(clean_once(%2$I, %3$L)) < %4$s then rpad(%6$L, greatest(%4$s, 8), %7$L) else clean_once(%2$I, %3$L) end where %2$I ~ %5$L',
      one.owner, one.name, one.one_line, one.least_letters, pattern, 'Untitled', '.');
  end loop;
end $$;

-- A price list holds its titles as JSON.
update request_settings set price_list = (
  select coalesce(jsonb_agg(item || jsonb_build_object('title',
    case when clean_once(item ->> 'title', true) = '' then 'Untitled' else clean_once(item ->> 'title', true) end) order by place), '[]')
  from jsonb_array_elements(price_list) with ordinality as items (item, place)
)
where exists (
  select from jsonb_array_elements(price_list) as item where item ->> 'title' ~ '[\u0001-\u001f\u0085\u2028\u2029\ufffe\uffff]'
);
reset role;
drop function clean_once;
