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
const walls = `${accounts}/walls.test.ts`;
const signing = `${accounts}/signing-in.test.ts`;
const headers = 'tests/proofs/headers.test.ts';
const fifteen = 'fifteen headers of fifteen on every kind of answer';
const cookies = 'have cookies that scripts and other sites cannot use';

/** What is tried, by requirement. A line belongs here when its test would fail if the requirement were broken. */
export const requirements: readonly Requirement[] = [
  {
    id: '1.2.4',
    about: 'queries take parameters',
    file: 'tests/proofs/fuzz.test.ts',
    test: 'R5: nothing that can be sent',
  },
  {
    id: '1.2.10',
    about: 'no formulas in CSV',
    file: 'src/features/insights/api.test.ts',
    test: 'has a name that says nothing, a line for every visit, and no formula',
  },
  {
    id: '2.3.4',
    about: 'what is limited is not given twice',
    file: 'src/features/viewing/races.test.ts',
    test: 'lets exactly one of 200 strangers',
  },
  {
    id: '2.4.1',
    about: 'too many calls are slowed down',
    file: 'src/features/viewing/gates.test.ts',
    test: 'lets 19 tries of an hour through at once',
  },
  { id: '3.3.1', about: 'cookies are Secure and prefixed', file: walls, test: cookies },
  { id: '3.3.2', about: 'cookies have SameSite', file: walls, test: cookies },
  { id: '3.3.4', about: 'cookies are out of reach of scripts', file: walls, test: cookies },
  { id: '3.4.1', about: 'Strict-Transport-Security', file: headers, test: fifteen },
  { id: '3.4.3', about: 'a content security policy', file: headers, test: 'pages add what a policy of scripts needs' },
  { id: '3.4.4', about: 'nosniff', file: headers, test: fifteen },
  { id: '3.4.5', about: 'a referrer policy', file: headers, test: fifteen },
  { id: '3.4.6', about: 'nobody frames us', file: headers, test: fifteen },
  { id: '3.5.1', about: 'calls come from our own pages', file: walls, test: 'cannot call in the name of somebody' },
  {
    id: '5.2.1',
    about: 'files have a largest size',
    file: 'src/features/media/photo-studio.test.ts',
    test: 'is too big by its bytes without being opened',
  },
  {
    id: '5.2.2',
    about: 'files are what they say',
    file: 'src/features/albums/api.test.ts',
    test: 'a text that calls itself a picture',
  },
  {
    id: '5.2.6',
    about: 'no flood of pixels',
    file: 'tests/proofs/malformed.test.ts',
    test: 'R7: hostile files end with a reason',
  },
  {
    id: '5.3.2',
    about: 'paths are our own',
    file: 'src/engines/storage/storage.test.ts',
    test: 'never leaves the store by a path',
  },
  {
    id: '6.2.3',
    about: 'a new password asks for the present one',
    file: signing,
    test: 'changes the password with the present one',
  },
  {
    id: '6.2.4',
    about: 'common passwords are refused',
    file: `${accounts}/setup.test.ts`,
    test: 'refuses short, common and personal passwords',
  },
  { id: '6.3.1', about: 'guessing is slowed down', file: signing, test: 'after five wrong passwords lets tries wait' },
  {
    id: '6.3.5',
    about: 'people hear of strange tries',
    file: signing,
    test: 'tells of a device that was never used before',
  },
  {
    id: '6.3.7',
    about: 'people hear of changed passwords',
    file: signing,
    test: 'changes the password with the present one',
  },
  {
    id: '6.3.8',
    about: 'nobody learns who has an account',
    file: walls,
    test: 'on sign-in: unknown address and wrong password',
  },
  {
    id: '6.4.3',
    about: 'a forgotten password is set safely',
    file: signing,
    test: 'sets a forgotten password by code or link',
  },
  {
    id: '6.5.1',
    about: 'codes work once',
    file: `${accounts}/joining.test.ts`,
    test: 'are used once, and only their hashes are kept',
  },
  {
    id: '6.5.5',
    about: 'codes live briefly',
    file: `${accounts}/joining.test.ts`,
    test: 'a code lives 10 minutes, a link 30',
  },
  { id: '7.2.1', about: 'the server checks sessions', file: walls, test: 'are refused without our signature' },
  { id: '7.2.4', about: 'a new token with every sign-in', file: walls, test: 'get a new token with every sign-in' },
  { id: '7.3.1', about: 'idle sessions end', file: signing, test: 'stays for 30 days after the last use' },
  { id: '7.4.1', about: 'signing out ends the session', file: signing, test: 'ends by sign-out' },
  {
    id: '7.4.3',
    about: 'a new password ends other sessions',
    file: signing,
    test: 'sets a forgotten password by code or link',
  },
  { id: '7.5.2', about: 'people see and end their sessions', file: signing, test: 'lists her sessions, ends one' },
  {
    id: '8.2.1',
    about: 'functions are for who may call them',
    file: 'tests/proofs/matrix.test.ts',
    test: 'R1: what is allowed works, what is not leaves no trace',
  },
  {
    id: '8.2.2',
    about: 'things are for whose they are',
    file: 'tests/proofs/routes.test.ts',
    test: 'R1: raw routes give nobody what is not theirs',
  },
  {
    id: '8.2.3',
    about: 'fields are for who may see them',
    file: 'tests/proofs/canary.test.ts',
    test: 'R2: nothing private is in anything',
  },
  {
    id: '8.4.1',
    about: 'creators are walled from each other',
    file: 'tests/proofs/walls.test.ts',
    test: 'R12: in no table does one creator see',
  },
  {
    id: '11.3.2',
    about: 'AES-GCM',
    file: 'src/features/media/keys.test.ts',
    test: 'is AES-256-GCM under the derived key',
  },
  {
    id: '11.3.3',
    about: 'what is encrypted cannot be changed unseen',
    file: 'src/features/media/original.test.ts',
    test: 'fails when one bit is changed',
  },
  {
    id: '11.3.4',
    about: 'no nonce meets a key twice',
    file: 'src/features/media/keys.test.ts',
    test: 'refuses a second plaintext for the same tile and slot',
  },
  { id: '11.4.2', about: 'passwords are kept as argon2id', file: walls, test: 'is kept as argon2id' },
  {
    id: '14.2.8',
    about: 'metadata of pictures is removed',
    file: 'tests/proofs/malformed.test.ts',
    test: 'R8: nothing of the camera',
  },
  {
    id: '14.3.2',
    about: 'private answers are not cached',
    file: 'src/app/server.test.ts',
    test: 'every answer carries the headers of the house',
  },
  {
    id: '16.4.2',
    about: 'the log of deeds cannot be changed',
    file: 'src/features/audit/store.test.ts',
    test: 'is never changed, not even by the system',
  },
  {
    id: '16.5.1',
    about: 'errors tell nothing of the inside',
    file: 'src/app/server.test.ts',
    test: 'a bug of a raw route shows its request id',
  },
];

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
  { n: 3, title: 'Web Frontend Security', note: 'The other requirements have no test that names them yet.' },
  {
    n: 4,
    title: 'API and Web Service',
    note: 'No requirement is matched yet; `tests/proofs/fuzz.test.ts` and `tests/proofs/matrix.test.ts` stand where its tests would be. No GraphQL, no WebSocket.',
  },
  {
    n: 5,
    title: 'File Handling',
    note: 'No scan for viruses: files are decoded behind walls and only newly drawn pictures reach viewers.',
  },
  { n: 6, title: 'Authentication', note: 'There is no second factor yet, which level 2 asks for.' },
  {
    n: 7,
    title: 'Session Management',
    note: 'Sessions are not federated. An absolute end exists for administrators only.',
  },
  { n: 8, title: 'Authorization', note: 'No adaptive rules (level 3).' },
  {
    n: 9,
    title: 'Self-contained Tokens',
    note: 'Sessions are looked up. The lease token of a pack is the one that holds its own facts: `src/features/media/lease-token.test.ts`.',
  },
  { n: 10, title: 'OAuth and OIDC', note: 'Not used.' },
  { n: 11, title: 'Cryptography', note: 'No inventory document, no plan for post-quantum ciphers.' },
  { n: 12, title: 'Secure Communication', note: 'TLS ends in front of the process: the operator’s part.' },
  { n: 13, title: 'Configuration', note: 'Read at boot in one place (`src/app/config.ts`); not matched yet.' },
  {
    n: 14,
    title: 'Data Protection',
    note: 'What is kept and for how long stands in the privacy policy; no classification document.',
  },
  { n: 15, title: 'Secure Coding and Architecture', note: 'Exact versions of all dependencies; not matched yet.' },
  {
    n: 16,
    title: 'Security Logging and Error Handling',
    note: 'The other requirements have no test that names them yet.',
  },
  { n: 17, title: 'WebRTC', note: 'Not used.' },
];
