import { missing } from './missing.ts';

/** Ways to talk to each other and to be found that are not here. */
export const missingContact = [
  missing(
    'no-messages',
    'Can my fans message me, or I them?',
    [
      'chat !chatgpt|chatbot|preview|paste|show|share|send|wrong',
      'dm|dms|pm fan|viewer|buyer|subscriber|sub|customer|follower|they|people|you|me|guy !preview|paste|show|share|send',
      'inbox|inboxes|mailbox !email|code|spam|mail|arrived',
      'message_me|msg_me|text_me|write_to_me|write_me|talk_to_me|contact_me|dm_me|reply_to|message_them|text_them|write_them|talk_to_them !when|opens|open|opened|notify|you|support|link',
      'message|msg|text|txt|write|talk|reply|respond|contact fan|fans|viewer|viewers|buyer|buyers|subscriber|subs|customer|follower|client|people|guy !welcome|greeting|greet|hello|top|above|see|put|note|wish|app_store|link|links|notify|notification|tell|email|emails|request|requests|custom|pic|pics|photo|picture|pictures|album|say|add|sms',
      'mass|bulk|group message|messages|dm|dms|text|texts|chat',
      'private|direct message|messages|messaging|inbox',
      'read_receipt|read_receipts|typing_indicator',
    ],
    'No. There is no chat, no inbox and there are no direct messages: people see what you share, and write to you where you sent the link. A buyer can leave a few words with a tip or a payment, and each link can have a **Welcome text** from you. Whoever asks for custom work describes it in the request.',
  ),
  missing(
    'no-comments',
    'Can viewers comment, like or react?',
    [
      'comment|comments|commenting|commented !say|mean',
      'like|likes|heart|hearts|upvote|upvotes button|give|leave|count|react|counter|see|many|where|number !onlyfans|snapchat|fansly|patreon|insta|instagram|feature|people|what|viewers|viewer|look|looks|something|most',
      'reaction|reactions|emoji|emojis',
      'review|reviews|rating|ratings|stars leave|write|buyer|buyers|fan|fans|customer|my|give|rate',
      'rate|rating pics|pictures|photos|album|fans|fan|creator|creators !discount|commission',
      'poll|polls|quiz|vote|voting|survey',
    ],
    'No. Viewers can only look: there are no comments, likes, reactions, ratings or polls. **Analytics** shows what was looked at, and for how long.',
  ),
  missing(
    'no-live-stream',
    'Can I live stream?',
    [
      'live_stream|livestream|livestreams|livestreaming|stream|streams|streaming|streamer|broadcast|broadcasting|webcam|camshow|camshows|camming !bitrate|encrypted|music',
      'go_live|going_live|goes_live|went_live !link|links|site|album|account|photo|photos',
      'live_show|live_shows|live_cam|live_session|live_sessions|live_video|live_videos|live_event',
      'cam show|shows|girl|girls|session',
    ],
    'No, there is no live video. You can share photos and videos that you have uploaded. **Looking now** shows you live who is looking at them.',
  ),
  missing(
    'no-calls',
    'Can I offer calls or sexting?',
    [
      'video_call|video_calls|videocall|videochat|video_chat|phone_call|phone_calls|voice_call|facetime|zoom',
      'call|calls fan|fans|viewer|viewers|buyer|subscriber|offer|sell|paid',
      'sext|sexting|phone_sex|cybersex',
    ],
    'No. There are no calls, no video chat and no sexting sessions here, only albums of photos and videos.',
  ),
  missing(
    'no-meeting',
    'Can I meet people or date here?',
    [
      'dating|hookup|hookups|escort|escorts|sugar_daddy|sugar_daddies|sugarbaby|sugar_baby',
      'meet|meetup|meet_up|date fan|fans|viewer|viewers|irl|person|guys|girls|women|men|sell|offer|local|someone|people !up_date|end',
    ],
    'No. This is a place to share pictures, not to meet, and the rules forbid offering services in person.',
    '/acceptable-use',
  ),
  missing(
    'no-discovery',
    'How do people find me here?',
    [
      'discover|discovery|discovered|discoverable|explore|browse|trending|algorithm|fyp|spotlight !video|app',
      'get|find|gain|grow|more|attract|new followers|follower|fans|subscribers|viewers|audience|traffic|exposure|buyers !limit|few|many|link|links|than|max|maximum|lose|lost|how_many|tip|register|account|refund|name|country|person',
      'promote|promotion|advertise|advertising|ads|boost|marketing|shoutout|shoutouts me|my|page|profile|here|can|do|you|site !email|emails|mails|stop|newsletter',
      'search|find|browse|list|look creators|models|girls|women|men|other_creators|profiles|accounts !report|who_is|look_at|good_for|made_for',
      'follow|unfollow creator|creators|her|model|button',
      'leaderboard|ranking|top_creators',
    ],
    "Not by us: there is no search, no list of creators, no followers and no feed, and we don't promote anyone. You send your links to people you choose, wherever you know them. If you want one address for your bio, turn on your public page under **Profile**.",
  ),
  missing(
    'no-feed',
    'Is there a feed, and are there stories or posts?',
    [
      'feed|feeds|timeline|newsfeed|wall',
      'story|stories|reels|shorts !write|tell|poem|song|joke|essay',
      'pin|pinned post|posts',
      'blog|blogs|text_post|text_posts|status_update|tweet',
      'highlight|highlights',
    ],
    'No. There are albums, and links to them: no feed, no stories and no posts. Nobody sees an album to whom you did not send a link.',
  ),
  missing(
    'no-badge',
    'Can I get a verified badge?',
    [
      'badge|badges|checkmark|check_mark|blue_tick|blue_check|tick !link|list|status|colour|color',
      'get_verified|be_verified|become_verified|verified_creator !stripe|payout|email',
      'verified|verify|verification profile|creator|account|me|badge|blue !email|mail|code|confirm|address|stripe|payout|age|identity|link',
    ],
    'No. There is no badge and no verification of profiles here. Stripe checks the identity of whoever is paid.',
  ),
  missing(
    'no-viewer-identity',
    'Can I see who a viewer really is?',
    [
      'real|legal|full name|names|identity viewer|viewers|buyer|buyers|fan|fans|customer|his|their|her !my|mine|hide',
      'phone|number|address|email|emails|mail buyer|buyers|fan|fans|customer|customers|subscribers|viewer|viewers list|get|see|export|download|know|have|collect !creator|am|i_was|do_they|open',
      'id_check|verify_id|check_id|id_card|passport|drivers_license viewer|viewers|buyer|fan|fans|customer',
      'ip ip_address|address|adress viewer|viewers|his|her|their|fan|buyer !do_they|am',
    ],
    'No. Viewers have no account, and we tell nobody their name, address, number or IP. You see the name that you gave the link, the country, the kind of device, and what was looked at. Of a buyer you see what they typed themselves.',
    '/analytics',
  ),
  missing(
    'no-phone-support',
    'Can I call you, or chat with a person?',
    [
      'call|phone|ring you|support|hotline|team|someone !sign|signup|signin|login|register|number_of',
      'live_chat|livechat|support_chat|whatsapp_support|live support|agent|person|human !look|looking|watching',
      'discord|forum|subreddit|community|telegram_group|facebook_group you|your|server|have|join|is_there|official !post|posted|leaked|nudes|pics',
    ],
    'No: there is no phone number, no live chat and no group. Write on the contact page; a person answers by email.',
    '/contact',
  ),
];
