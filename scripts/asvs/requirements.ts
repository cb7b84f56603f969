/** A requirement of OWASP ASVS 5.0 that a test of ours tries. */
export interface Requirement {
  id: string;
  /** In our own short words. */
  about: string;
  file: string;
  /** The beginning of the test's name. */
  test: string;
}

const accounts = 'src/features/accounts';
const walls = `${accounts}/sessions/walls.test.ts`;
const signing = `${accounts}/sessions/signing-in.test.ts`;
const joining = `${accounts}/joining/joining.test.ts`;
const setup = `${accounts}/joining/setup.test.ts`;
const rules = `${accounts}/rules.test.ts`;
const passwords = `${accounts}/passwords.test.ts`;
const albums = 'src/features/albums/api.test.ts';
const links = 'src/features/links/api.test.ts';
const secrecy = 'src/features/viewing/opening/secrecy.test.ts';
const ends = 'src/features/viewing/leases/access-ends.test.ts';
const keys = 'src/features/media/formats/keys.test.ts';
const lease = 'src/features/media/lease-token.test.ts';
const studio = 'src/features/media/decoding/photo-decoder.test.ts';
const server = 'src/app/server/server.test.ts';
const headers = 'tests/proofs/headers/headers.test.ts';
const fuzz = 'tests/proofs/asking/fuzz.test.ts';
const matrix = 'tests/proofs/asking/matrix.test.ts';
const malformed = 'tests/proofs/hostile/malformed.test.ts';
const canary = 'tests/proofs/asking/canary.test.ts';
const tenants = 'tests/proofs/asking/walls.test.ts';

const fuzzed = 'nothing that can be sent';
const hostile = 'hostile files end with a reason';
const fifteen = 'fifteen headers of fifteen on every kind of answer';
const asked = 'what is allowed works, what is not leaves no trace';
const fieldsSearched = 'nothing private is in anything';
const bug = 'a bug of a raw route shows its request id';
const changed = 'changes the password with the present one';
const newToken = 'get a new token with every sign-in';
const ownTokens = 'outlives one rotation of the master key';

type Line = readonly [id: string, about: string, file: string, test: string];

const lines: readonly Line[] = [
  ['1.2.4', 'queries take parameters', fuzz, fuzzed],
  [
    '1.2.10',
    'no formulas in CSV',
    'src/features/insights/api.test.ts',
    'has a name that says nothing, a line for every visit, and no formula',
  ],
  ['1.3.4', 'drawings that may hold scripts are refused', albums, 'a text that calls itself a picture'],
  ['1.3.6', 'no file makes the server ask an address', malformed, hostile],
  [
    '1.3.11',
    'no second recipient and no header of a stranger in an email',
    'src/engines/mail/smtp.test.ts',
    'never writes to a second recipient',
  ],
  ['2.2.1', 'input has its shape and its bounds', secrecy, 'is told what is wrong with a malformed call'],
  ['2.2.2', 'the server checks, whatever a page has checked', joining, 'asks for an address, the box and the code'],
  [
    '2.2.3',
    'dates that do not fit each other are refused',
    links,
    'refuses an end that has passed and a window that never opens',
  ],
  ['2.3.1', 'no step is skipped', setup, 'takes the steps in their order'],
  [
    '2.3.2',
    'limits hold, also for many at once',
    'src/features/links/list.test.ts',
    'stops at the limit of active links',
  ],
  ['2.3.3', 'all of a change or nothing of it', links, 'extends many at once, or none'],
  [
    '2.3.4',
    'what is limited is not given twice',
    'src/features/viewing/opening/races.test.ts',
    'lets exactly one of 200 strangers',
  ],
  [
    '2.4.1',
    'nobody takes a whole album faster than people look',
    ends,
    'is refused when full photos are asked for faster',
  ],
  [
    '3.2.1',
    'an uploaded file is downloaded, never shown as a page',
    albums,
    'a photo sent in two parts becomes an item',
  ],
  ['3.3.1', 'cookies are Secure and prefixed', headers, fifteen],
  ['3.3.2', 'cookies have SameSite', headers, fifteen],
  ['3.3.4', 'sessions are out of reach of scripts', walls, 'have cookies that scripts and other sites cannot use'],
  ['3.4.1', 'Strict-Transport-Security for a year', headers, fifteen],
  ['3.4.3', 'a content security policy', headers, 'pages add what a policy of scripts needs'],
  ['3.4.4', 'nosniff', headers, fifteen],
  ['3.4.5', 'a referrer policy', headers, fifteen],
  ['3.4.6', 'nobody frames us', headers, fifteen],
  ['3.4.8', 'a window that others cannot hold', headers, fifteen],
  ['3.5.1', 'calls come from our own pages', walls, 'cannot call in the name of somebody'],
  [
    '3.5.2',
    'a plain form of another site does nothing',
    walls,
    'cannot sign anybody in to their own account by a form',
  ],
  ['3.5.8', 'other sites cannot load what is ours', headers, fifteen],
  ['3.7.2', 'nobody is sent to a foreign address after sign-in', rules, 'is this origin for whatever is given'],
  ['4.1.3', "callers cannot rename the app by a proxy's headers", walls, 'lead to this app whatever the caller says'],
  ['5.2.1', 'files have a largest size', albums, 'a file whose bytes changed on the way, too large a file'],
  ['5.2.2', 'files are what they say', albums, 'a text that calls itself a picture'],
  ['5.2.6', 'no flood of pixels', studio, 'is too big at'],
  ['5.3.2', 'paths are our own', 'src/engines/storage/storage.test.ts', 'never leaves the store by a path'],
  ['6.2.1', 'short passwords are refused', passwords, 'ninechars'],
  ['6.2.2', 'people can change their password', signing, changed],
  ['6.2.3', 'a new password asks for the present one', signing, changed],
  ['6.2.4', 'common passwords are refused', setup, 'refuses short, common and personal passwords'],
  ['6.2.5', 'a password may be of small letters alone', passwords, 'three calm rivers'],
  ['6.3.1', 'guessing is slowed down', signing, 'after five wrong passwords lets tries wait'],
  ['6.3.5', 'people hear of strange tries', signing, 'tells of a device that was never used before'],
  ['6.3.7', 'people hear of changed passwords', signing, changed],
  ['6.3.8', 'nobody learns who has an account', walls, 'on sign-in: unknown address and wrong password'],
  ['6.4.1', 'what confirms a new account expires soon', joining, 'a code lives 10 minutes, a link 30'],
  ['6.4.3', 'a forgotten password is set safely', walls, 'is never set by the address alone'],
  ['6.5.1', 'mailed codes work once', joining, 'are used once, and only their hashes are kept'],
  ['6.6.2', 'a mailed link works for the browser that asked', joining, 'U3: a link opened in another browser'],
  ['6.6.3', 'codes cannot be guessed by many tries', joining, 'a code has five tries'],
  ['7.2.1', 'the server checks sessions', walls, 'are refused without our signature'],
  ['7.2.2', 'session tokens are made when they are needed', walls, newToken],
  ['7.2.4', 'a new token with every sign-in', walls, newToken],
  ['7.3.1', 'idle sessions end', signing, 'stays for 30 days after the last use'],
  ['7.4.1', 'signing out ends the session', signing, 'ends by sign-out'],
  ['7.4.2', 'a closed account has no session', setup, 'closes the account of somebody under 18'],
  ['7.4.3', 'a new password ends other sessions', signing, 'sets a forgotten password by code or link'],
  ['8.2.1', 'functions are for who may call them', matrix, asked],
  [
    '8.2.2',
    'things are for whose they are',
    'tests/proofs/asking/routes.test.ts',
    'raw routes give nobody what is not theirs',
  ],
  ['8.2.3', 'fields are for who may see them', canary, fieldsSearched],
  ['8.3.1', 'the server decides who may, not the page', matrix, asked],
  ['8.3.2', 'a right that was taken back ends at once', ends, 'ends leases, renewals and opens at once'],
  ['8.4.1', 'creators are walled from each other', tenants, 'in no table does one creator see'],
  ['9.1.1', 'a changed lease token is void', lease, 'is void when a single bit of it was changed'],
  ['9.1.3', 'lease tokens are proved by our own keys alone', lease, ownTokens],
  ['9.2.1', 'a lease token ends at its instant', lease, 'says which grant may fetch which pack'],
  ['11.3.2', 'AES-GCM', keys, 'is AES-256-GCM under the derived key'],
  [
    '11.3.3',
    'what is encrypted cannot be changed unseen',
    'src/features/media/original.test.ts',
    'fails when one bit is changed',
  ],
  ['11.3.4', 'no nonce meets a key twice', keys, 'refuses a second plaintext for the same tile and slot'],
  ['11.4.2', 'passwords are kept as argon2id', walls, 'is kept as argon2id'],
  ['13.2.2', "the database's roles may read and write rows, no more", tenants, 'the roles can do nothing but'],
  [
    '13.3.2',
    "the file of keys is its owner's alone",
    'src/engines/keys/keys.test.ts',
    'are written on the first start, readable by the owner only',
  ],
  ['13.4.6', "no answer tells a program's version", headers, fifteen],
  ['14.2.7', 'addresses that nobody confirmed are erased', setup, 'erases addresses that nobody confirmed for a week'],
  [
    '14.2.8',
    'what viewers get holds no metadata',
    'tests/proofs/hostile/metadata.test.ts',
    'nothing that a camera wrote',
  ],
  ['14.3.2', 'answers are not kept by browsers', server, 'every answer carries the headers of the app'],
  [
    '15.2.2',
    'heavy work is done by few at a time',
    'src/engines/children/child-pool.test.ts',
    'runs no more children at once than agreed',
  ],
  ['15.2.3', "a live installation has no developers' pages", headers, 'every kind of answer was really met'],
  ['15.3.1', 'answers hold only what is needed', canary, fieldsSearched],
  ['15.3.6', 'no input reaches the prototype of objects', fuzz, fuzzed],
  [
    '16.2.5',
    'values of rows are not in the log',
    'src/engines/jobs/pg-boss.test.ts',
    'that fail are tried again, then laid aside',
  ],
  ['16.3.1', 'refused sign-ins are logged', signing, 'a wrong password stands in the log of its account'],
  ['16.3.4', 'bugs are logged', server, bug],
  [
    '16.4.2',
    'the log of deeds cannot be changed',
    'src/features/audit/store.test.ts',
    'is never changed, not even by the system',
  ],
  ['16.5.1', 'errors tell nothing of the inside', server, bug],
  [
    '16.5.2',
    'uploads outlive a storage that is gone',
    'tests/proofs/crashes/s3.test.ts',
    'while every call fails uploads wait; when that is over they are taken over',
  ],
  ['16.5.3', 'without the database nobody is let in', secrecy, 'is refused, never guessed, while the database is away'],
];

/** What is tried, by requirement. A line belongs here when its test would fail if the requirement were broken. */
export const requirements: readonly Requirement[] = lines.map(([id, about, file, test]) => ({ id, about, file, test }));

/** The chapters, and where none or not all of one is tried, why. */
export const chapters: readonly { n: number; title: string; note: string }[] = [
  {
    n: 1,
    title: 'Encoding and Sanitization',
    note: 'React escapes what is shown; there is no HTML, LDAP, XML or template from people.',
  },
  {
    n: 2,
    title: 'Validation and Business Logic',
    note: 'Every procedure has a shape in its contract; the rules of money come with payments.',
  },
  {
    n: 3,
    title: 'Web Frontend Security',
    note: 'Not kept: Strict-Transport-Security does not speak for subdomains (level 2 of 3.4.1).',
  },
  {
    n: 4,
    title: 'API and Web Service',
    note: 'No GraphQL, no WebSocket. What is no HTTP is tried by `tests/proofs/asking/fuzz.test.ts`, but not what a proxy in front makes of it.',
  },
  {
    n: 5,
    title: 'File Handling',
    note: 'No scan for viruses: files are decoded behind walls and only newly drawn pictures reach viewers.',
  },
  {
    n: 6,
    title: 'Authentication',
    note: 'Not kept: a second factor is offered and not required (6.3.3), and a mailed link lives 30 minutes where 6.5.5 allows 10. Mail is a way in, which level 3 rules out (6.3.6).',
  },
  {
    n: 7,
    title: 'Session Management',
    note: 'Sessions are not federated. Not kept: an absolute end exists for administrators only (7.3.2), and who ends one of their sessions is not asked for their password again (7.5.2).',
  },
  { n: 8, title: 'Authorization', note: 'No adaptive rules (level 3).' },
  {
    n: 9,
    title: 'Self-contained Tokens',
    note: 'Sessions are looked up. The lease token of a pack is the one that holds its own facts.',
  },
  { n: 10, title: 'OAuth and OIDC', note: 'Not used.' },
  {
    n: 11,
    title: 'Cryptography',
    note: 'No inventory document, no plan for post-quantum ciphers. Not kept: a link with a readable beginning has ten random letters, fewer than the 128 bits of 11.5.1.',
  },
  { n: 12, title: 'Secure Communication', note: "TLS ends in front of the process: the operator's part." },
  {
    n: 13,
    title: 'Configuration',
    note: 'Read at boot in one place (`src/app/config.ts`). Master keys lie in a file or in the environment, not in a vault (13.3.1).',
  },
  {
    n: 14,
    title: 'Data Protection',
    note: 'What is kept and for how long stands in the privacy policy; no classification document.',
  },
  { n: 15, title: 'Secure Coding and Architecture', note: 'Exact versions of all dependencies.' },
  {
    n: 16,
    title: 'Security Logging and Error Handling',
    note: 'Wrong passwords stand in the log of deeds of their account; tries at unknown addresses are counted by their hash alone, and forgotten.',
  },
  { n: 17, title: 'WebRTC', note: 'Not used.' },
];
