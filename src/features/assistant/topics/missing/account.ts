import { missing } from './missing.ts';

/** Around one's account and the app: most of it is not here. */
export const missingAccount = [
  missing(
    'no-social-login',
    'Can I sign in with Google, Apple, a passkey or Face ID?',
    [
      'passkey|passkeys|pass_key|face_id|faceid|touch_id|touchid|fingerprint_login|biometric|biometrics|webauthn',
      'fingerprint signin|unlock|open|scan|scanner',
      'google|apple|facebook|twitter|instagram|tiktok|apple_id|discord|sso signin|signup|login|log|account|register|join|auth !find|search|pay|preview|send',
      'magic|passwordless signin|login|password',
      'without|no password signin|login|account',
    ],
    'No. You sign in with your email address and a password. There is no sign-in with Google, Apple or other services, and none with a passkey, a fingerprint or your face.',
    '/auth',
  ),
  missing(
    'no-phone-signup',
    'Can I sign up with a phone number, or without an email?',
    [
      'phone_number|phone|mobile_number|sms|text_message signup|signin|register|account|verify|instead|join !lock|stolen|lost|home|screen|install|app|app_store|put|old|log_out|signout|upload|stole',
      'without|no email signup|account|register|join|sign !arrived|come|received|confirmation|get|got|code',
      'anonymous|fake|throwaway|temporary|burner email|account|signup !viewer|am_i',
    ],
    'No. An account needs an email address that you can read: it is confirmed once by a code. A phone number is never asked for, and the address is shown to nobody.',
    '/auth?action=signup',
  ),
  missing(
    'no-second-account',
    'Can I have several accounts or profiles?',
    [
      'two|second|multiple|several|another|2|more accounts|account|profiles|profile|personas|pages|handles !login|signed|device|devices|logged|phone|stripe|screen',
      'switch|merge accounts|profiles|between_accounts',
    ],
    'An account has one profile, one name and one picture, and there is no switching between accounts. A second account needs another email address and its own plan.',
    '/profile',
  ),
  missing(
    'no-team',
    'Can a manager or an agency use my account?',
    [
      'manager|managers|agency|agencies|assistant|va|employee|employees|team|moderator|moderators|staff|chatter|chatters|co_admin access|account|add|invite|login|manage|use|have|member|members|model|models|help|permission|permissions|role|roles|seat|seats !look|your|you|see|phone|support|human|person|sofia|ai',
      'give|share login|password|account assistant|manager|boyfriend|husband|partner|friend|someone|else !link|album|forgot|access_to_album',
      'multi_user|multiuser|sub_account|subaccount|subaccounts|sub_accounts',
    ],
    'No. An account is for one person: there are no team members, no roles and no access for an agency. Please share your password with nobody.',
    '/profile/security',
  ),
  missing(
    'no-country-block',
    'Can I block a country or a place?',
    [
      'geoblock|geoblocking|geo_block|geo_blocking|geofence|geo_fence|region_block|block_by_location',
      'block|hide|ban|exclude|restrict|limit|stop country|countries|state|states|city|region|town|texas|area|location|my_country|zip_code|utah !my_location|remove|photos|gps|exif|shown|wrong',
      'hide|block|stop people_in|everyone_in|anyone_in|people_from|anyone_from|everyone_from|neighbors|coworkers|near|nearby|around_me !find|out|name|picture',
    ],
    'A country, yes: in the share sheet tap **Add a rule**, then **Countries**. The link opens only in the countries you choose, or not in them. States and towns can’t be chosen, and a VPN can hide where someone is.',
    '/magic-links',
  ),
  missing(
    'change-address',
    'How do I change an address?',
    [
      'change|changed|new|update|edit|wrong|different|moved|another|modify|switch address|adress|addres|addresses|adresse !email|mail|e_mail|ip|album|password',
      'postal|billing|street|home|mailing|shipping address|adress|addres',
      'moved new_place|new_house|new_apartment|house|apartment|city',
      'custom|readable|vanity|nice|short|own|pretty|change url|slug|link_address|link_name_in_url|short_link',
    ],
    'It depends on which one. **Email address**: under **Profile → Security → Change address**. **Home or billing address**: we don’t keep one; for payouts, change it at Stripe under **Earnings → Payouts → Manage Account**. **Address of a link**: it stays as it is; for credits a link can get a readable one.',
    '/profile/security',
  ),
  missing(
    'appearance',
    'Is there a dark mode, or another look?',
    [
      'dark_mode|darkmode|night_mode|nightmode|light_mode|dark_theme|black_theme',
      'theme|themes|skin|skins|font|fonts|wallpaper',
      'dark|black|light|pink background|screen|site|mode|colors|colours !black_screen|load|loads',
      'customize|customise|brand|branding|design|color|colors|colours page|profile|look|site|app|album|brand_colors|link !list|status',
    ],
    'Light or dark follows your device; there is no switch for it here, and there are no themes, fonts or colours of your own.',
    '/profile',
  ),
  missing(
    'no-languages',
    'Is it available in other languages?',
    [
      'language|languages|translate|translated|translation|spanish|espanol|español|german|deutsch|french|francais|français|italian|italiano|portuguese|portugues|russian|polish|turkish|hindi|arabic|chinese|japanese|korean|dutch !poem|joke|song|homework|essay|server|company',
    ],
    'No, English only for now. The translation of your browser works on these pages; what you type yourself can be in any language.',
    '/profile',
  ),
  missing(
    'no-integrations',
    'Is there an API, or a connection to other services?',
    [
      'zapier|webhook|webhooks|ifttt|mailchimp|shopify|wordpress|wix|google_analytics|pixel|plugin|plugins|extension|extensions|sdk|make_com !browser_record|google_pixel|phone|devices|smartphone|run|will_it',
      'api|integration|integrations|integrate',
      'api docs|documentation|key|keys|developer',
      'connect|link instagram|tiktok|twitter|onlyfans|discord|youtube|account !send|paste|send_link|stripe|bank|broken|does|preview|chat',
      'telegram|whatsapp|discord|instagram bot|auto_reply|auto_dm|automation',
    ],
    'No. There are no integrations, plug-ins or bots, and no API keys for other services. A link can be pasted wherever you write to people.',
  ),
  missing(
    'no-embedding',
    'Can I embed an album, or use my own domain?',
    [
      'embed|embedding|iframe|widget|embedded',
      'own|custom|personal|my domain|domains|subdomain|web_address|website|webpage !find|who|see',
      'white_label|whitelabel',
    ],
    'No. Albums open on this site only: they can’t be embedded in another page, and there are no domains of your own. Put a link to them on your website instead.',
  ),
  missing(
    'no-desktop-app',
    'Is there a program for Windows or Mac?',
    [
      'windows|mac|macos|desktop|linux|pc program|software|exe|dmg|desktop_app|download_for|app !run|work|works',
      'apk|sideload|testflight|fdroid|f_droid',
      'onlyfans_app|native_app_for_pc',
    ],
    'No. It runs in the browser, on computers too. **Profile → App** shows how to put it on a home screen.',
    '/profile/app',
  ),
  missing(
    'no-age-proof',
    'Do you check IDs or ages with documents?',
    [
      'id_verification|verify_age|age_verification|id_check|upload_my_id|upload_id|passport|drivers_license|driving_license|drivers_licence|selfie_verification|face_scan|show_id',
      'id|identification|identity verify|check|need|required|ask|send|upload|show you|signup|account|join|creator|me|my|age|viewers|do_i !stripe|payout|payouts|link|hide|viewer_id',
    ],
    'No document is asked for to sign up or to look: creators give their date of birth, and viewers say that they are 18 or older. To be paid, Stripe asks you for proof of who you are; we don’t see it.',
    '/terms-of-use',
  ),
  missing(
    'no-sms-alerts',
    'Can I get alerts by text message, WhatsApp or Telegram?',
    [
      'notification|notifications|notify|alert|alerts|ping|notified|remind|reminder sms|text|whatsapp|telegram|discord|call|phone_call|slack|smartwatch|watch !opens|preview',
    ],
    'No. We reach you by push and by email; under **Profile** you choose which for each kind of event.',
    '/profile',
  ),
  missing(
    'no-screenshot-block',
    'Do I see who has taken a screenshot?',
    [
      'screenshot|screenshots detect|detection|alert|alerted|told|notified|notify|notification|notifications|see_who|tell_me|know_who|list !will_i_know|no',
    ],
    'No. No website can notice that: you are not told about screenshots, and they can’t be prevented. Each viewer’s pictures carry their own invisible mark instead, so that a leaked copy can be traced to a link.',
    '/',
  ),
];
