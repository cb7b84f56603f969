import { missing } from './missing.ts';

/** Ways to pay, to be paid and to sell, most of which are not here. */
export const missingMoney = [
  missing(
    'payout-methods',
    'Can I be paid by PayPal, in crypto or to a card?',
    [
      'payout|payouts|get_paid|be_paid|paid_out|pay_out|pay_me|pays_me|withdraw|withdrawal|cash_out|cashout|earnings|my_money paypal|bitcoin|crypto|usdt|ethereum|venmo|cashapp|cash_app|zelle|wise|revolut|payoneer|skrill|paxum|debit_card|check|cheque|western_union|paysafe !can_fans|can_my|can_they|can_people|viewers_pay|subs_pay|fans_pay|buyers_pay',
    ],
    'No, payouts go to a bank account that you connect at Stripe, in US dollars. There are no payouts by PayPal, Wise, Cash App or check, and none in crypto.',
  ),
  missing(
    'payment-methods',
    'How can people pay: PayPal, crypto, Apple Pay?',
    [
      'paypal|pay_pal|bitcoin|btc|crypto|cryptocurrency|usdt|ethereum|eth|monero|dogecoin|klarna|afterpay|venmo|cashapp|cash_app|zelle|paysafecard|paysafe|skrill|giropay|ideal_pay|alipay|wechat_pay|wise|revolut|bank_transfer|wire_transfer|sepa|direct_debit|ach',
      'apple_pay|google_pay|samsung_pay|applepay|googlepay|gpay',
      'amex|american_express|discover_card|prepaid|prepaid_card|gift_cards_to_pay|mastercard|visa !need|give|enter|have_to',
      'pay|paid|accept|take cash|invoice|installments|instalments|carrier|phone_bill|by_phone',
      'payment|pay methods|method|options|ways how|which|what|accepted !payout|get_paid|update|change',
    ],
    "By card, on a page of Stripe's that also shows Apple Pay or Google Pay where the device has them. We don't take PayPal, Cash App or Venmo, bitcoin or any other crypto, cash or bank transfers, neither for the plan nor from your viewers.",
    '/pricing',
  ),
  missing(
    'payout-countries',
    'In which countries can I be paid?',
    [
      'payout|payouts|get_paid|be_paid|paid_in|pay_creators|pay_people|stripe|pay_out|earn|earnings|withdraw|sell|money|monetize country|countries|international|internationally|abroad|worldwide|overseas|india|nigeria|philippines|brazil|colombia|ukraine|russia|turkey|kenya|pakistan|germany|uk|canada|australia|mexico|argentina|europe|africa|asia|france|spain|italy|poland|romania|thailand|indonesia|vietnam|venezuela|south_africa|egypt|morocco|ghana|japan|england|eu !viewer|viewers|block|currency|look|looks|refund|paypal',
      'which|what|supported|available|restricted|list|from country|countries !viewer|viewers|block|hide|wrong|show|shows|company|based|server|servers|look|looks|watch|analytics|host',
      'work|works|available|use|open in|for india|nigeria|philippines|brazil|colombia|ukraine|russia|turkey|kenya|pakistan|germany|canada|australia|mexico|argentina|europe|africa|uk|spain|france|italy|my_country',
    ],
    'Everybody can share and look. To be **paid**, you need a payout account at Stripe, and in this version one can be opened for the **United States** only. Other countries are not possible yet.',
  ),
  missing(
    'payout-speed',
    'Can I get my money at once?',
    [
      'instant|instantly|immediately|same_day|right_away|at_once|asap|faster|quicker payout|payouts|paid|withdraw|money|cash|earnings !back|lock|revoke|close|screen|link|links',
      'advance|loan|overdraft !in_advance',
    ],
    'No. A payment becomes available some days after it was made, as **Earnings** shows, and is paid out on the days that you choose there. There are no instant payouts and no advances.',
  ),
  missing(
    'no-other-currency',
    'Can I charge in euros or pounds?',
    [
      'currency|currencies',
      'euro|euros|eur|pounds|gbp|pesos|rupees|cad|aud|yen price|prices|charge|charged|sell|set|pay|paid|payout|in|accept !how_much|cost|costs|expensive|bucks',
    ],
    "No. Every price, tip and payout here is in US dollars; a buyer's bank converts it.",
    '/pricing',
  ),
  missing(
    'no-tax-forms',
    'Do you send tax forms or VAT invoices?',
    ['1099|w9|w_9|w8|w8ben|w_8ben|tax_form|tax_forms|tax_return|taxes|tax_id|vat|gst|ein|tax'],
    'We make no tax forms and no VAT invoices, and give no advice on taxes. **Earnings** has statements of every month and year, as a PDF and a table, for whoever does your taxes; your payout account is at Stripe, which asks for your tax details there.',
  ),
  missing(
    'no-discount-codes',
    'Can I give buyers a discount code?',
    [
      'discount|discounts|coupon|coupons|promo|promocode|voucher|sale|black_friday|percent_off fan|fans|buyer|buyers|subscriber|subscribers|subs|viewers|viewer|customer|customers|followers|my|offer|create|make|give|run|for_sale_price !my_plan|plan|student|trial|you_give|for_me|album|albums|last',
    ],
    'No, there are no codes and no sale days. You can make a second link with a lower price, offer a tier at up to 50% off for 3, 6 or 12 months paid at once, or give a **Free pass**.',
  ),
  missing(
    'no-gifts',
    'Are there gift cards, or can one buy for somebody else?',
    [
      'giftcard|giftcards|gift_card|gift_cards',
      'gift|gifts|gifting subscription|subscriptions|membership|album|tier',
      'gift|present|buy|pay|purchase someone_else|somebody_else|friend|friends|another_person|another_fan|his_friend|gf|bf !invite|share|tip|donation|tips|forward|sends|open|work|try|before|trial|join',
    ],
    'No. There are no gift cards, and what somebody buys opens for them alone. As a creator you can give a **Free pass** instead.',
  ),
  missing(
    'no-split',
    'Can I share earnings with somebody?',
    [
      'split|share|divide|revshare earnings|revenue|income|money|payout|payouts|payment|payments|profit|proceeds !do_you|you_take|how_much|take|your|keep',
      'collab|collabs|collaboration|co_creator|duo|joint_account account|accounts|album|earnings|together|creator|post|feature|features',
    ],
    'No. Each sale goes to one account; whatever you share with others you pay them yourself.',
  ),
  missing(
    'no-auctions',
    'Are there auctions, bundles of credit or pay per minute?',
    [
      'auction|auctions|bidding|raffle|raffles|giveaway|giveaways|lottery|contest|crowdfunding|goal|goals !what_is',
      'per_minute|by_the_minute|pay_per_minute|per_photo|per_picture|per_view_price|per_message',
      'pay_what_you_want|name_your_price|negotiate|haggle',
    ],
    'No. An album has a fixed price, a tip has a least amount, and a tier costs the same every month. A custom request is the one thing whose price is agreed.',
  ),
  missing(
    'no-earning-promise',
    'How much will I earn?',
    [
      'price|average|typically|usually|realistic earn|make|income i|creators|creator|month|monthly|girls|people|models !keep|cut|take|fee|see|where|my_earnings|album|link|make_it|set|tip|sell|change',
      'guaranteed|guarantee income|earnings|money|salary',
      'rich|millionaire|full_time',
    ],
    'We can’t say, and nobody honestly can: it depends on whom you send your links to. What a sale brings you is shown before you set its price.',
    '/pricing',
  ),
  missing(
    'no-small-payments',
    'Can something cost less than $5?',
    [
      'tip|charge|price|sell|cost less|under|below|smaller|lower|minimum|least|1|2|3|1_dollar|2_dollars|3_dollars !screenshot|price_of_plan|album_price_limit|smallest|age|payout',
    ],
    'No. The smallest tip or price is $5, because of what a card payment costs.',
  ),
  missing(
    'free-pass',
    'How do I give a friend a free pass?',
    [
      'free_pass|free_passes|guest_pass|comp|comp_subscription|freebie|freebies|comped',
      'free|free_of_charge|for_nothing|without_paying give|let|get|add|offer friend|friends|bestie|fan|fans|subscriber|sub|somebody|someone|him|her|buddy subscribe|subscription|tier|access|membership|pass|sub|in !trial',
      'pass|passes friend|friends|bestie|give|fan|fans|somebody|make|create !on|password|around|it|code|pass_along|forward',
    ],
    'Under **Magic links**, tap **Free pass**: make a link that gives one of your tiers for a few days, without a card. It ends by itself, and nothing is charged. You need a tier first; to show somebody a single album, make a free link instead.',
    '/magic-links',
  ),
  missing(
    'no-plan-extras',
    'Is there a yearly, lifetime or free plan?',
    [
      'free_plan|free_version|free_account|free_forever|freemium|ad_supported !trial',
      'yearly|annual|annually|lifetime|per_year|for_life|quarterly plan|plans|membership|subscription|deal|option|discount|pay|price|billing !dies|link',
      'student|military|nonprofit discount|price|plan',
      'family|group|team|enterprise|business plan|price !fans',
    ],
    'No. There is one plan, paid by the month, with a free trial before it. There is no free plan, no yearly or lifetime one, no team plan and no discount.',
    '/pricing',
  ),
];
