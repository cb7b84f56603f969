import { isStatementDescriptor, statementLengths, statementRule } from './statement-rules.ts';

interface NumberRule {
  kind: 'number';
  default: number;
  min: number;
  max: number;
  about: string;
}
interface TextRule {
  kind: 'text';
  default: string;
  maxLength: number;
  about: string;
  /** What it takes beyond that, as its check, a sentence, and its bounds in few words. */
  form?: { fits(value: string): boolean; sentence: string; bounds: string };
}

interface SwitchRule {
  kind: 'switch';
  /** Stored as 1 for on and 0 for off. */
  default: number;
  about: string;
}
export type SettingRule = NumberRule | TextRule | SwitchRule;

const whole = (value: number, min: number, max: number, about: string): NumberRule => {
  return { kind: 'number', default: value, min, max, about };
};
const text = (value: string, maxLength: number, about: string): TextRule => ({
  kind: 'text',
  default: value,
  maxLength,
  about,
});

const onOff = (value: 0 | 1, about: string): SwitchRule => ({ kind: 'switch', default: value, about });

const [MB, GB, MiB] = [1_000_000, 1_000_000_000, 1_048_576];

/** Every limit and price that an operator may change: its default, its bounds and what it means. */
export const settingRules = {
  'site.banner': text('', 200, 'A sentence above every page of the studio and every public page; empty for none.'),
  'site.maintenance': onOff(
    0,
    'Keeps everybody out but administrators: pages show the banner, or the usual sentence, until it is off.',
  ),
  'features.signUps': onOff(1, 'Takes new accounts; off, those that are there go on.'),
  'features.uploads': onOff(
    1,
    'Takes new photos and videos; off, what has begun is finished. Profile pictures and leaked copies are taken all the same.',
  ),
  'features.sales': onOff(1, 'Opens new checkouts for viewers; off, renewals and refunds go on.'),
  'features.customRequests': onOff(1, 'Takes new custom requests; off, those that were sent go on.'),
  'features.assistant': onOff(1, 'Lets Sofia answer; off, only somebody in danger is answered.'),
  'limits.photoBytes': whole(50 * MB, MB, 500 * MB, 'Maximum size of a photo, in bytes.'),
  'limits.photoSidePx': whole(20_000, 2048, 65_000, 'Maximum side length of a photo, in pixels.'),
  'limits.photoMegapixels': whole(200, 12, 400, 'Maximum size of a photo, in megapixels.'),
  'limits.heicMegapixels': whole(50, 12, 100, 'Maximum size of a HEIC photo, in megapixels.'),
  'limits.avifMegapixels': whole(25, 12, 100, 'Maximum size of an AVIF photo, in megapixels.'),
  'limits.photoJobSeconds': whole(
    60,
    10,
    600,
    'CPU time for one photo, in seconds; beyond it, or ten times as long by the clock, it is tried again later.',
  ),
  'limits.videoBytes': whole(4 * GB, MB, 4 * GB, 'Maximum size of a video, in bytes.'),
  'limits.videoMinutes': whole(60, 1, 60, 'Maximum length of a video, in minutes.'),
  'limits.videoHours': whole(10, 0, 10_000, 'Hours of video that a creator can have made in a month without credits.'),
  'limits.videoSidePx': whole(8192, 1280, 8192, 'Maximum side length of a video, in pixels.'),
  'limits.videoFps': whole(120, 30, 240, 'Maximum frame rate of a video, in frames per second.'),
  'limits.videoJobSeconds': whole(120, 30, 3600, 'The same for one video, before its own length is added.'),
  'limits.videoJobSecondsPerSecond': whole(20, 2, 100, 'Seconds of CPU time that each second of a video adds to that.'),
  'limits.clipBytes': whole(500 * MB, MB, 2 * GB, 'Maximum size of a clip submitted as a leaked copy, in bytes.'),
  'limits.clipMinutes': whole(10, 1, 10, 'Maximum length of a clip submitted as a leaked copy, in minutes.'),
  'limits.avatarBytes': whole(15 * MB, MB, 50 * MB, 'Maximum size of a profile picture, in bytes.'),
  'limits.filesPerBatch': whole(200, 1, 1000, 'Files that can be selected at once.'),
  'limits.parallelUploads': whole(3, 1, 6, 'Files that one page uploads at the same time.'),
  'limits.chunkBytes': whole(8 * MiB, 5 * MiB, 16 * MiB, 'Size of one part of an upload, in bytes.'),
  'limits.uploadLifeHours': whole(24, 1, 168, 'How long an unfinished upload is kept after its last part, in hours.'),
  'limits.uploadBytesPerDay': whole(20 * GB, GB, 1000 * GB, 'Bytes that one creator can upload in a day.'),
  'limits.storageBytes': whole(20 * GB, GB, 10_000 * GB, 'Storage per creator, counting originals, in bytes.'),
  'limits.trialStorageBytes': whole(2 * GB, MB, 1000 * GB, 'Storage per creator during the trial, in bytes.'),
  'limits.albums': whole(200, 1, 10_000, 'Albums per creator.'),
  'limits.itemsPerAlbum': whole(500, 1, 500, 'Photos and videos per album.'),
  'limits.links': whole(2000, 1, 100_000, 'Active links per creator.'),
  'limits.albumsPerLink': whole(20, 1, 100, 'Albums per link.'),
  'links.defaultDays': whole(30, 1, 365, 'Days until a new link expires, unless its creator chooses otherwise.'),
  'links.undoHours': whole(24, 1, 168, 'How long a revoked link can be restored, in hours.'),
  'access.requestDays': whole(14, 1, 90, 'Days after which a request for access that was not answered expires.'),
  'access.requestsPerDay': whole(3, 1, 50, 'Requests for access that one viewer can send in a day.'),
  'access.strangersPerDay': whole(
    20,
    1,
    1000,
    'Requests of new viewers a day before each takes a confirmed email; of one network a quarter of them.',
  ),
  'access.askAgainDays': whole(7, 0, 365, 'Days after which a viewer who was declined can ask again.'),
  'privacy.backupDays': whole(30, 1, 3650, 'Days after which the operator has deleted a backup.'),
  'operations.nightlyCheck': onOff(1, 'Makes the full check every night at 03:23 UTC.'),
  'viewing.leaseSeconds': whole(30, 10, 120, 'How long the keys to a picture are valid, in seconds.'),
  'viewing.renewSeconds': whole(15, 5, 60, 'How often an open screen renews its keys, in seconds.'),
  'viewing.idleMinutes': whole(5, 1, 60, 'Idle minutes after which a visit closes; one tap opens it again.'),
  'viewing.fullPhotosPerMinute': whole(
    60,
    10,
    600,
    'Full-size photos that one visit, or a creator viewing their own, can open per minute.',
  ),
  'viewing.filmSecondsPerMinute': whole(
    300,
    120,
    3600,
    'Seconds of video that one visit, or a creator viewing their own, can request keys for per minute.',
  ),
  'accounts.linkMinutes': whole(30, 5, 1440, 'How long an emailed link can be used, in minutes.'),
  'accounts.codeMinutes': whole(10, 2, 60, 'How long an emailed code can be used, in minutes.'),
  'accounts.codeTries': whole(5, 1, 20, 'Wrong entries after which a code stops working.'),
  'accounts.resendSeconds': whole(60, 10, 600, 'Seconds before another email can be sent.'),
  'accounts.emailUndoDays': whole(7, 1, 30, 'Days in which a change of email address can be undone.'),
  'accounts.wrongPasswords': whole(
    5,
    3,
    50,
    'Wrong passwords for an account from one network within 15 minutes before its further attempts are delayed and an email is sent.',
  ),
  'accounts.triesPerNetwork': whole(
    20,
    5,
    1000,
    'Sign-ins tried from one network in an hour before each waits longer.',
  ),
  'accounts.sessionDays': whole(30, 1, 365, 'Days without use after which a session ends.'),
  'plan.trialDays': whole(7, 1, 90, 'Length of the free trial, in days.'),
  'marketing.demoLinkSlug': text('', 80, 'Slug of the demo link that the home page offers; empty for none.'),
  'plan.priceCents': whole(399, 0, 99_900, 'Monthly price of the plan, in cents.'),
  'money.statementDescriptor': {
    ...text('PF DIGITAL', statementLengths.most, 'What card statements of buyers show, as it is set at Stripe.'),
    form: {
      fits: isStatementDescriptor,
      sentence: statementRule,
      bounds: `${statementLengths.least}–${statementLengths.most} Latin characters`,
    },
  },
  'money.commissionPercent': whole(
    10,
    0,
    50,
    "Share of viewers' payments that the platform keeps, including card fees, in percent.",
  ),
  'money.buyerDayCents': whole(50_000, 500, 1_000_000, 'What one buyer can spend within 24 hours, in cents.'),
  'money.buyerCreatorDayCents': whole(
    30_000,
    500,
    1_000_000,
    'What one buyer can spend with one creator within 24 hours, in cents.',
  ),
  'money.failedCards': whole(4, 2, 20, 'Different declined cards after which a browser is kept from paying.'),
  'money.failedCardsDays': whole(7, 1, 90, 'For how long a browser is kept from paying then, in days.'),
  'money.failuresInRow': whole(
    10,
    3,
    100,
    'Declined payments in a row after which a link, a page or a request stops selling for a while.',
  ),
  'money.failuresPauseMinutes': whole(60, 5, 1440, 'For how long it stops selling then, in minutes.'),
  'money.mostPriceCents': whole(50_000, 500, 50_000, 'The highest price of an album or bundle, in cents.'),
  'money.newSellerCents': whole(
    10_000,
    500,
    50_000,
    'The highest price of an album or bundle of a creator who is new, and the largest payment to one with many disputes, in cents.',
  ),
  'money.provenDays': whole(
    30,
    0,
    3650,
    'Days after which a creator is no longer new, when they have sold enough by then.',
  ),
  'money.provenSales': whole(10, 0, 100, 'Sales without a dispute after which a creator is no longer new.'),
  'money.mostKnownTipCents': whole(
    20_000,
    10_000,
    500_000,
    'The largest tip of a buyer who has been one for long, in cents.',
  ),
  'money.knownBuyerDays': whole(120, 1, 3650, 'Days after the first payment from which a buyer has been one for long.'),
  'money.settlementDays': whole(7, 0, 31, 'Days for which what a creator sells rests before a payout takes it.'),
  'money.disputedSettlementDays': whole(14, 1, 31, 'Days for which it rests where many of their sales are disputed.'),
  'money.mostDebtCents': whole(
    20_000,
    0,
    1_000_000,
    'How far below zero a creator can take their balance by refunds of their own, in cents.',
  ),
  'credits.suiteMonthly': whole(30, 0, 10_000, 'Credits that an account with the suite gets each month.'),
  'credits.referral': whole(
    30,
    0,
    10_000,
    'Credits that a partner gets when a creator they brought has paid the first month.',
  ),
  'credits.firstSteps': whole(
    5,
    0,
    1000,
    'Credits for the first album, for the first link and for connecting payouts, each once.',
  ),
  'credits.freeTraces': whole(5, 0, 10_000, 'Leaked copies that a creator can upload in a month without credits.'),
  'credits.trace': whole(5, 1, 1000, 'Credits that each further leaked copy costs.'),
  'credits.storage': whole(10, 1, 10_000, 'Credits that extra storage costs.'),
  'credits.storageBytes': whole(10 * GB, MB, 1000 * GB, 'How much extra storage that is, in bytes.'),
  'credits.storageDays': whole(30, 1, 365, 'How long extra storage lasts, in days.'),
  'credits.address': whole(5, 1, 1000, 'Credits that a readable address of a link costs.'),
  'credits.priority': whole(2, 1, 1000, 'Credits that it costs to have a waiting video made before others.'),
  'credits.videoHour': whole(5, 1, 1000, 'Credits that each further hour of video costs.'),
  'credits.answers': whole(1, 1, 1000, "Credits that more answers from the assistant's model cost."),
  'credits.answersEach': whole(20, 1, 10_000, 'How many answers that is.'),
  'affiliates.sharePercent': whole(
    20,
    0,
    50,
    'Share of a paid plan that goes to the partner who brought the creator, in percent.',
  ),
  'affiliates.months': whole(12, 1, 60, 'Months for which a partner gets that share.'),
  'affiliates.attributionDays': whole(60, 1, 365, "Days in which somebody who followed a partner's link may join."),
  'affiliates.payoutCents': whole(2500, 0, 100_000, 'Smallest amount that is paid out to a partner, in cents.'),
  'assistant.visitorQuestions': whole(20, 1, 1000, 'Questions that Sofia answers visitors of one network in an hour.'),
  'assistant.creatorQuestions': whole(60, 1, 1000, 'Questions that Sofia answers one creator in an hour.'),
  'assistant.freeAnswers': whole(
    100,
    0,
    100_000,
    'Answers that a model writes for one creator in a month without credits; after them Sofia answers from the help texts alone.',
  ),
  'legal.hotlines': text('', 600, 'Who helps people in danger, as Sofia names them; empty for the built-in list.'),
  'marketing.gtagId': text(
    '',
    20,
    'Measurement ID of Google Analytics (G-…) for public pages, used only after consent; empty for none.',
  ),
  'marketing.countVisits': onOff(0, 'Counts visits of public pages here, after consent.'),
  youtube_video_url: text('', 500, 'Address of the demo video on the landing page; empty for the built-in one.'),
} as const satisfies Record<string, SettingRule>;

export type SettingKey = keyof typeof settingRules;
export type Settings = {
  readonly [Key in SettingKey]: (typeof settingRules)[Key]['kind'] extends 'text' ? string : number;
};

/** Returns whether a text names a setting. */
export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settingRules, key);

/** Whether a value has the type of its setting and lies within its bounds. */
export function isAllowed(key: SettingKey, value: unknown): boolean {
  const rule: SettingRule = settingRules[key];
  if (rule.kind === 'switch') return value === 0 || value === 1;
  if (rule.kind === 'text')
    return typeof value === 'string' && value.length <= rule.maxLength && rule.form?.fits(value) !== false;
  return Number.isSafeInteger(value) && Number(value) >= rule.min && Number(value) <= rule.max;
}

/** A renewal may come late by this before the keys of an open screen end. */
const renewalMarginSeconds = 5;

/** Settings that must fit each other, and what to say when they do not. */
const bonds: readonly { keys: readonly SettingKey[]; holds(settings: Settings): boolean; sentence: string }[] = [
  {
    keys: ['viewing.leaseSeconds', 'viewing.renewSeconds'],
    holds: (settings) => settings['viewing.leaseSeconds'] >= settings['viewing.renewSeconds'] + renewalMarginSeconds,
    sentence: `viewing.leaseSeconds must be at least viewing.renewSeconds + ${renewalMarginSeconds}, or open screens lose their keys before they renew them.`,
  },
];

function whatItTakes(rule: SettingRule): string {
  if (rule.kind === 'switch') return 'takes 1 for on or 0 for off.';
  if (rule.kind === 'number') return `takes a whole number from ${rule.min} to ${rule.max}.`;
  return rule.form?.sentence ?? `takes a text of up to ${rule.maxLength} characters.`;
}

/** Returns what is wrong when a setting gets this value, in a sentence; undefined when nothing is. */
export function findSettingFault(current: Settings, key: SettingKey, value: unknown): string | undefined {
  const rule: SettingRule = settingRules[key];
  if (!isAllowed(key, value)) return `${key} ${whatItTakes(rule)}`;
  const changed = { ...current, [key]: value } as Settings;
  return bonds.find(({ keys, holds }) => keys.includes(key) && !holds(changed))?.sentence;
}

/** The settings in force: what is stored where it is allowed and fits the rest, else the defaults. */
export function settingsFrom(stored: ReadonlyMap<string, unknown>): Settings {
  const entries = Object.entries(settingRules).map(([key, rule]) => {
    const value = stored.get(key);
    return [key, isAllowed(key as SettingKey, value) ? value : rule.default];
  });
  const settings = Object.fromEntries(entries) as Settings;
  const unfit = bonds.filter(({ holds }) => !holds(settings)).flatMap(({ keys }) => keys);
  const defaults = Object.fromEntries(unfit.map((key) => [key, settingRules[key].default]));
  return Object.freeze({ ...settings, ...defaults }) as Settings;
}

/** One line of the table of settings. */
export interface SettingLine {
  key: SettingKey;
  value: number | string;
  default: number | string;
  /** "5–60", or the longest text. */
  bounds: string;
  about: string;
}

/** Every setting with its value, its default, its bounds and its sentence. */
export const listSettings = (settings: Settings): SettingLine[] =>
  Object.entries(settingRules).map(([key, rule]: [string, SettingRule]) => ({
    key: key as SettingKey,
    value: settings[key as SettingKey],
    default: rule.default,
    bounds: boundsOf(rule),
    about: rule.about,
  }));

function boundsOf(rule: SettingRule): string {
  if (rule.kind === 'switch') return '1 (on) or 0 (off)';
  if (rule.kind === 'number') return `${rule.min}–${rule.max}`;
  return rule.form?.bounds ?? `up to ${rule.maxLength} characters`;
}

/** A value as somebody types it. @returns undefined when it is none of its kind */
export function parseSetting(key: SettingKey, text: string): number | string | undefined {
  const { kind } = settingRules[key];
  if (kind === 'text') return text;
  if (kind === 'switch' && (text === 'on' || text === 'off')) return text === 'on' ? 1 : 0;
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
