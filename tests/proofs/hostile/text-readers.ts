import { isCrooked } from '#app/server/addresses.ts';
import { isDecider, isUrgent, kindAtDoor, linkOf } from '#app/server/shedding.ts';
import { openCountryFile } from '#engines/geoip/country-file.ts';
import { spell, splitRuns } from '#engines/pdf/pdf-glyphs.ts';
import { readPlaylist } from '#engines/video/playlist.ts';
import { needWell, secondsOf } from '#engines/video/programs.ts';
import { decodableIn, readProbe } from '#engines/video/read-probe.ts';
import { Email } from '#features/accounts/contract.ts';
import { isCommonPassword } from '#features/accounts/password.ts';
import * as accounts from '#features/accounts/rules.ts';
import { nameDevice } from '#features/accounts/sessions/session-device.ts';
import { readConsent } from '#features/accounts/visitor.ts';
import { readMetadata } from '#features/albums/staging.ts';
import { findDanger } from '#features/assistant/answering/danger.ts';
import { tellsRules } from '#features/assistant/answering/model-rules.ts';
import { acceptAnswer, findPromise, toPlainAnswer } from '#features/assistant/answering/plain-answer.ts';
import { readMarkers } from '#features/assistant/chat/markers.ts';
import { longestMessage } from '#features/assistant/contract.ts';
import { usualFacts } from '#features/assistant/facts.ts';
import { findTopics } from '#features/assistant/search/find-topics.ts';
import { redactPath as redactMeasuredPath } from '#features/audit/page-metrics.ts';
import { plainLine, plainText } from '#features/audit/plain-text.ts';
import { networkOf } from '#features/audit/rules.ts';
import { plainPassword } from '#features/links/link-password.ts';
import { slugWord } from '#features/links/rules.ts';
import { chooseVideo } from '#features/marketing/demo-video.ts';
import { namePage, nameReferrer } from '#features/marketing/visits.ts';
import { findPersonalMetadata } from '#features/media/decoding/personal-metadata.ts';
import { safeName } from '#features/privacy/exports/file-names.ts';
import { Coded } from '#features/privacy/my-data-contract.ts';
import { slugIn } from '#features/reports/rules.ts';
import { findBriefFault } from '#features/requests/asking/brief-filter.ts';
import { cleanErrorText, redactPage } from '#features/support/rules.ts';
import { readCode } from '#features/tracing/rules.ts';
import { OpenRequest } from '#features/viewing/contract.ts';
import { readResumeCode } from '#features/viewing/rules.ts';
import { callerKindOf, deviceOf } from '#features/viewing/user-agent.ts';
import { nameText, optionalName } from '#kit/bounded-text.ts';
import { writeLine } from '#kit/csv.ts';
import { redactPath } from '#kit/redacted-path.ts';
import { foldTexts, searchPattern } from '#kit/search.ts';
import { escapeHtml, isolate } from '#kit/text.ts';
import { readAskedRange } from '#wire/asked-range.ts';
import { bearerOf } from '#wire/bearer.ts';
import { takes } from '#wire/compressed.ts';
import { readCookie } from '#wire/cookies.ts';
import { whyForeign } from '#wire/origin.ts';
import { isStorable } from '#wire/storable.ts';

/** A function that reads what somebody typed or another program said. */
export interface TextReader {
  name: string;
  /** The files whose patterns it runs. */
  files: readonly string[];
  /** The longest text that comes to it, in UTF-16 units. */
  most: number;
  read: (text: string) => unknown;
}

/** Node takes no more headers than this, the address among them. */
const headerLetters = 16_384;
/** The longest text of a contract: the stack of an error. */
const stackLetters = 20_000;

const reader = (name: string, files: readonly string[], most: number, read: TextReader['read']): TextReader => ({
  name,
  files,
  most,
  read,
});

/** A refusal is an answer as well. */
const orRefuse = (read: TextReader['read']) => (text: string) => {
  try {
    return read(text);
  } catch (error) {
    return error;
  }
};

const ours = { publicUrl: 'https://fans.example', isSandbox: true } as Parameters<typeof whyForeign>[0];
const request = (headers: Record<string, string>) => ({ headers }) as Parameters<typeof takes>[0];
const latin: ReadonlySet<number> = new Set(Array.from({ length: 0x250 }, (_, letter) => letter));
const features = (room: string) => `src/features/${room}.ts`;

const typed: readonly TextReader[] = [
  reader('an error of a browser', [features('support/rules')], stackLetters, cleanErrorText),
  reader('the page of an error', ['src/kit/redacted-path.ts'], 2000, (text) => [redactPage(text), redactPath(text)]),
  reader('a brief', [features('requests/asking/brief-filter')], 1500, (text) =>
    findBriefFault(text.slice(0, 80), text),
  ),
  reader(
    'a question to Sofia',
    [features('assistant/search/find-topics'), features('assistant/search/keys'), features('assistant/search/words')],
    longestMessage,
    (text) => findTopics(text, usualFacts),
  ),
  reader('a cry for help', [features('assistant/answering/danger')], longestMessage, findDanger),
  reader('an email address', [features('accounts/rules')], 254, (text) => [
    Email.safeParse(text),
    accounts.foldMailbox(text),
  ]),
  reader('a handle', [features('accounts/rules')], 60, (text) => [
    accounts.suggestHandle(text),
    accounts.findHandleFault(text),
  ]),
  reader('a password', [features('accounts/password'), features('accounts/rules')], 128, (text) => {
    accounts.estimateStrength(text, 'ann@fans.example');
    return isCommonPassword(text);
  }),
  reader('the password of a link', [features('links/link-password')], 200, plainPassword),
  reader('the name of a link', [features('links/rules')], 200, slugWord),
  reader('a name', ['src/kit/bounded-text.ts', 'src/kit/clean-text.ts'], 4000, (text) => [
    nameText(4000, 'long', 1, 'short').safeParse(text),
    optionalName(4000, 'long').safeParse(text),
  ]),
  reader('what is searched for', ['src/kit/search.ts'], 4000, (text) => [foldTexts(text, null), searchPattern(text)]),
  reader('a text in a page, an email and a table', ['src/kit/text.ts', 'src/kit/csv.ts'], stackLetters, (text) => [
    escapeHtml(text),
    isolate(text),
    writeLine([text, 1]),
  ]),
  reader(
    'a text in a terminal',
    [features('audit/plain-text'), features('affiliates/commands')],
    stackLetters,
    (text) => [plainText(text), plainLine(text)],
  ),
  reader('a text on paper', ['src/engines/pdf/pdf-glyphs.ts'], 4000, (text) => splitRuns(spell(text, latin))),
  reader('the name of an original in an export', [features('privacy/exports/file-names')], 2000, safeName),
  reader('what is reported', [features('reports/rules')], 2000, slugIn),
  reader('the address of a video', [features('marketing/demo-video')], 2000, (text) => chooseVideo(text, true)),
  reader('the name of a file', [features('albums/staging')], headerLetters, (filename) => readMetadata({ filename })),
  reader(
    'a code',
    [
      features('viewing/contract'),
      features('privacy/my-data-contract'),
      features('viewing/rules'),
      features('tracing/rules'),
    ],
    200,
    (text) => [
      OpenRequest.safeParse({ emailCode: text.slice(0, 20) }),
      Coded.safeParse({ code: text.slice(0, 20) }),
      readResumeCode(text),
      readCode(text),
    ],
  ),
];

const sentAlong: readonly TextReader[] = [
  reader('a page that was visited', [features('marketing/visits')], 500, (text) => [
    namePage(text),
    nameReferrer(text, 'https://fans.example'),
    redactMeasuredPath(text),
  ]),
  reader('a user agent', [features('viewing/user-agent')], headerLetters, (text) => [
    callerKindOf({ 'user-agent': text, 'sec-purpose': text }),
    deviceOf(text),
  ]),
  reader('a device', [features('accounts/sessions/session-device')], headerLetters, nameDevice),
  reader('cookies', ['src/wire/cookies.ts', features('accounts/visitor')], headerLetters, (text) => [
    readCookie(text, 'pf.session_token'),
    readConsent(text),
  ]),
  reader('a bearer token', ['src/wire/bearer.ts'], headerLetters, (authorization) => bearerOf({ authorization })),
  reader('ways of packing', ['src/wire/compressed.ts'], headerLetters, (text) =>
    takes(request({ 'accept-encoding': text }), 'br'),
  ),
  reader('an origin', ['src/wire/origin.ts'], headerLetters, (text) =>
    whyForeign(ours, { method: 'POST', headers: { origin: text, host: text } }),
  ),
  reader('a range', ['src/wire/asked-range.ts'], headerLetters, (text) => readAskedRange(text, 1000)),
  reader(
    'an address of a request',
    ['src/app/server/addresses.ts', 'src/app/server/shedding.ts'],
    headerLetters,
    (text) => [
      isCrooked('/api/view/:slug/open', `/api/view/${text}/open`),
      isCrooked(undefined, `/api/${text}`),
      kindAtDoor(`/api/${text}`),
      isDecider(`/api/view/${text}/open`),
      linkOf(`/api/view/${text}/open`),
      isUrgent(`/api/hooks/${text}`),
    ],
  ),
  reader(
    'the address of a caller',
    [features('audit/rules'), 'src/engines/geoip/country-file.ts'],
    headerLetters,
    (text) => [networkOf(text), openCountryFile().countryOf(text)],
  ),
  reader('a value that is stored', ['src/wire/storable.ts'], stackLetters, (text) => isStorable({ [text]: [text] })),
];

const programs: readonly TextReader[] = [
  reader(
    'the answer of a model',
    [features('assistant/answering/plain-answer'), features('assistant/answering/model-rules')],
    100_000,
    (text) => acceptAnswer(text, text),
  ),
  reader(
    'an answer that is shown',
    [features('assistant/answering/plain-answer'), features('assistant/chat/markers')],
    1500,
    (text) => [toPlainAnswer(text, ''), findPromise(text), tellsRules(text), readMarkers(text)],
  ),
  reader('the words of a video program', ['src/engines/video/programs.ts'], 4000, (words) => [
    secondsOf(words),
    orRefuse(() => needWell({ ended: 'badly', words } as unknown as Parameters<typeof needWell>[0]))(words),
  ]),
  reader('the answer of a probe', ['src/engines/video/read-probe.ts'], 65_536, (text) => [
    decodableIn(text),
    orRefuse(readProbe)(text),
    orRefuse(readProbe)(probeOf(text)),
  ]),
  reader('a playlist', ['src/engines/video/playlist.ts'], 65_536, (text) => readPlaylist(`${text}#EXT-X-ENDLIST`, 1e6)),
  reader('the metadata of a photo', [features('media/decoding/personal-metadata')], 65_536, (text) =>
    findPersonalMetadata({ xmp: Buffer.from(text), exif: Buffer.from(`Exif\0\0MM\0*${text}`) }),
  ),
];

/** A picture whose every word is this one. */
const probeOf = (text: string) =>
  JSON.stringify({
    streams: [
      {
        codec_type: 'video',
        codec_name: 'h264',
        width: 16,
        height: 16,
        sample_aspect_ratio: text,
        side_data_list: [{ displaymatrix: text }],
        tags: { DURATION: text, [text.slice(0, 100)]: text },
      },
    ],
  });

/** Everything that reads a text which is not ours. */
export const textReaders: readonly TextReader[] = [...typed, ...sentAlong, ...programs];

/** Files with patterns that search, and the reason why none of them ever meets a text of somebody else. */
export const ownTexts: Readonly<Record<string, string>> = {
  'src/engines/database/statement-figures.ts': 'the texts of our own statements, without values',
  'src/features/accounts/plan/inert-html.ts':
    "HTML that the payment provider's script writes, in the browser of whoever pays",
  'src/app/backup/prune.ts': 'names of files that the backup gave',
  'src/app/full-check/browser.ts': 'addresses that the full check asks for itself',
  'src/app/full-check/viewer-steps.ts': 'the playlist of the video that the full check has uploaded itself',
  'src/app/dev/dev-pages.ts': 'emails of the sandbox, shown to its developer',
  'src/app/server/html-page.ts': 'pages that our build made, and names in them are escaped',
  'src/app/server/page-paths.ts': 'the routes that our build wrote, and one step of an address at a time',
  'src/app/server/site.ts': 'pages that our build made; of a request one anchored word',
  'src/engines/database/archiving.ts': 'names of programs that our own command prints',
  'src/engines/database/migrate.ts': 'our own migrations',
  'src/kit/without-credentials.ts': 'places of this installation, as its own settings name them',
  'src/wire/body-limits.ts': 'addresses of our own contracts',
  'src/wire/procedure-at.ts':
    'addresses of our own contracts; of a request one path, anchored at both ends, step by step',
  'src/engines/mail/smtp.ts': 'the sender that the operator set',
  'src/features/accounts/countries-and-zones.ts': 'a table of ours',
  'src/features/links/creating/bulk-rules.ts':
    "a list that its creator pastes, cut to 20,000 letters, in the creator's own browser",
  'src/features/insights/folding/fold-store.ts': 'columns of ours',
  'src/features/media/blockhash.ts': 'a hash of ours',
  'src/features/viewing/opening/timezone-country.ts': 'a table of ours',
};
