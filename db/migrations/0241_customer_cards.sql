-- The card that a customer gave for everything, as far as their subscriptions are paid by it, and since when another one may have
-- been given. The provider prefers the card of a subscription, so a new one has to be set at each of them.
create table customer_cards (
  provider text not null,
  livemode boolean not null,
  customer_id text not null,
  card_id text,
  asked_at timestamptz,
  primary key (provider, livemode, customer_id)
);
select wall('customer_cards');
create index customer_cards_asked on customer_cards (asked_at) where asked_at is not null;
