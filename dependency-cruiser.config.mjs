/** Imports point down: app > features > wire > engines > kit; ui stands beside wire. A new room adds its rung. */
const ladder = [
  'settings',
  'audit',
  'sales',
  'notices',
  'referrals',
  'accounts',
  'media',
  'albums',
  'consents',
  'books',
  'plans',
  'payouts',
  'held',
  'orders',
  'returns',
  'money',
  'links',
  'access',
  'security',
  'viewing',
  'requests',
  'tracing',
  'insights',
  'assistant',
  'credits',
  'affiliates',
  'support',
  'reports',
  'marketing',
  'dashboard',
  'privacy',
  'admin',
  'fullcheck',
];
const layer = (name) => `^src/${name}/`;
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const tests = '\\.test\\.tsx?$';
/** `posting.ts` decides how money is booked. */
const pure = ['^src/features/.*[/-](contract|rules|policy)\\.ts$', '^src/features/books/posting\\.ts$'];
/** How bytes are laid out: needed by whoever reads a leaked copy as by whoever makes a pack. */
const formats = '^src/features/media/formats/';
const inBrowser = '(\\.tsx$|^src/features/[^/]+/(browser|viewer-app)/)';

/** A rung may not import what stands above it. */
const rungs = ladder
  .slice(0, -1)
  .map((room, at) =>
    forbid(
      'rooms-point-down',
      `${room} is below ${ladder[at + 1]} and everything after it.`,
      { path: `^src/features/${room}/`, pathNot: tests },
      { path: `^src/features/(${ladder.slice(at + 1).join('|')})/` },
    ),
  );

export default {
  forbidden: [
    ...rungs,
    forbid('no-circles', 'Two files that need each other are one file.', {}, { circular: true }),
    forbid(
      'a-room-has-a-rung',
      'Every room stands on the ladder of this file.',
      { path: `^src/features/(?!(${ladder.join('|')})/)` },
      { path: '.*' },
    ),
    forbid('kit-is-bedrock', 'kit imports nothing of ours.', { path: layer('kit') }, { path: '^src/(?!kit/)' }),
    forbid(
      'kit-runs-anywhere',
      'kit and ui use web globals only, so browser and server can both import them.',
      { path: '^src/(kit|ui)/' },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'engines-know-no-product',
      'Engines never import features.',
      { path: layer('engines') },
      { path: '^src/(features|wire|ui|app)/' },
    ),
    forbid(
      'wire-knows-no-feature',
      'The wire carries any feature.',
      { path: layer('wire') },
      { path: '^src/(features|ui|app)/' },
    ),
    forbid(
      'ui-knows-no-feature',
      'Shared components do not know the product.',
      { path: layer('ui') },
      { path: '^src/(features|engines|wire|app)/' },
    ),
    forbid('features-below-app', 'Only app assembles features.', { path: layer('features') }, { path: layer('app') }),
    forbid(
      'rules-and-contracts-are-pure',
      'No I/O in contracts, rules and policies, in whatever folder of a room.',
      { path: pure },
      {
        pathNot: [
          ...pure,
          '^src/kit/',
          '^src/engines/',
          '^src/wire/(promise|pulse|refusals)\\.ts$',
          '^node_modules/(zod|@orpc/contract|thumbhash)/',
        ],
      },
    ),
    forbid(
      'rules-and-contracts-are-pure',
      'Of an engine, rules know types only.',
      { path: pure },
      { path: layer('engines'), dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'a-root-is-a-face',
      'What lies in a folder of a room is its own. Another room may use what lies in the root, and the formats of media.',
      { path: '^src/features/([^/]+)/', pathNot: [tests, inBrowser] },
      { path: '^src/features/[^/]+/[^/]+/', pathNot: ['^src/features/$1/', formats] },
    ),
    forbid(
      'a-root-is-a-face',
      "Browser code may use another room's root and its folder browser/.",
      { path: '^src/(?:app|features/([^/]+))/(?:.*\\.tsx$|browser/|viewer-app/)', pathNot: tests },
      { path: '^src/features/[^/]+/[^/]+/', pathNot: ['^src/features/$1/', '^src/features/[^/]+/browser/'] },
    ),
    forbid(
      'a-root-is-a-face',
      'The app assembles rooms from their roots.',
      { path: ['^src/app/', '^src/main\\.ts$'], pathNot: [tests, inBrowser] },
      { path: '^src/features/[^/]+/[^/]+/' },
    ),
    forbid(
      'formats-stand-alone',
      'Other rooms may use the formats of media because they need nothing of ours but kit.',
      { path: formats },
      { path: '^src/(?!kit/|features/media/formats/)' },
    ),
    forbid(
      'a-face-is-no-procedure',
      "Nobody calls another room's procedures, jobs or pages.",
      { path: '^src/features/([^/]+)/', pathNot: tests },
      {
        path: [
          '^src/features/[^/]+/(api|jobs|mount|commands)\\.ts$',
          '^src/features/[^/]+/[a-z-]+-(api|jobs|mount|commands?)\\.ts$',
          '-page\\.tsx$',
        ],
        // `to-api.ts` turns rows into what the API says, and is no procedure.
        pathNot: ['^src/features/$1/', '/to-api\\.ts$'],
      },
    ),
    forbid(
      'browser-never-reaches-server',
      'Pages cannot reach SQL, engines or node:.',
      { path: inBrowser, pathNot: '\\.test\\.tsx$' },
      { path: ['^src/engines/', '[/-]store\\.ts$', '/api\\.ts$', '^src/wire/(answer|rpc)\\.ts$'], reachable: true },
    ),
    forbid(
      'server-never-reaches-tsx',
      'Node cannot run .tsx.',
      { path: '^src/main\\.ts$' },
      { path: '\\.tsx$', reachable: true },
    ),
    forbid(
      'sql-lives-in-stores',
      'Only stores and the app touch Kysely and pg.',
      { path: layer('features'), pathNot: ['/store\\.ts$', '-store\\.ts$', tests] },
      { path: '^node_modules/(kysely|pg)/' },
    ),
    forbid(
      'viewer-app-stays-small',
      'Nothing of the studio gets into the viewer app.',
      { path: '/(browser|viewer-app)/' },
      { path: '^(src/ui/|node_modules/(react-router|@base-ui|@tanstack)/)' },
    ),
    forbid(
      'resolvable',
      'An import that resolves to nothing.',
      { pathNot: '^src/app/root' },
      { couldNotResolve: true },
    ),
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(\\.test\\.tsx?$|^tests/|\\+types/)' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
  },
};
