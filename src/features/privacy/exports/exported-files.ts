import { accountFiles } from './account-files-store.ts';
import { audienceFiles } from './audience-files-store.ts';
import { contentFiles } from './content-files-store.ts';
import type { ExportedFile } from './exported-file-store.ts';
import { moneyFiles } from './money-files-store.ts';

/** Every file of an export but for originals, in the order of the zip. */
export const exportedFiles: readonly ExportedFile[] = [
  ...accountFiles,
  ...contentFiles,
  ...audienceFiles,
  ...moneyFiles,
];

/** Tables with rows of a creator of which an export has nothing, and why. */
export const notExported: Readonly<Record<string, string>> = {
  view_events: 'what happened within visits, until it is folded into sums a day later',
  key_leases: 'half a minute long, and about keys',
  deliveries: 'ids by which a copy is traced',
  grants: 'ids by which a copy is traced',
  codeword_log: 'hashes by which a copy is traced',
  codeword_seals: 'hashes by which a copy is traced',
  album_days: 'sums of the visits',
  album_months: 'sums of the visits',
  audience_days: 'sums of the visits',
  audience_months: 'sums of the visits',
  creator_hours: 'sums of the visits',
  creator_folds: 'up to where sums were made',
  creator_viewers: 'sums of the visits',
  film_days: 'sums of the visits',
  film_edges: 'sums of the visits',
  item_days: 'sums of the visits',
  item_months: 'sums of the visits',
  link_days: 'sums of the visits',
  link_months: 'sums of the visits',
  link_seen: 'sums of the visits',
  segment_files: 'how a video is stored',
  packs: 'how a medium is stored',
  uploads: 'how a medium came',
  trace_keys: 'keys',
  media_keys: 'keys',
  creator_keys: 'keys',
  export_keys: 'keys',
  album_departures: 'what can be undone for a week',
  gate_visitors: 'browsers that were not let in, as hashes',
  robot_opens: 'sums of programs that came by',
  wrong_codes: 'sums of wrong codes',
  wrong_passwords: 'sums of wrong passwords',
  request_codes: 'a code that lives for minutes, of whoever asks',
  video_time_taken: 'what one video took of the time that the account tells',
  email_tokens: 'a link or code that lives for minutes',
  creations: 'keys by which a call that is sent twice makes one thing',
  performance_metrics: 'how fast pages were',
  reports: 'who reports is not told to whom they report; the decision is an email',
  trial_redemptions: 'a hash of the address',
  bill_cards: 'a hash of the card that a bill was paid by',
  affiliate_runs: 'which administrator made a run in which partners were paid',
  consent_stops: 'hashes of addresses that may not be asked again',
};
