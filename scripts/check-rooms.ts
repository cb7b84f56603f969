/** `npm run imports`: refuses files that need each other, folders of a room that do, and roots of rooms that are no faces. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findFileCircles, findFolderCircles } from './import-circles.ts';
import { findRootFaults } from './room-roots.ts';

/** Circles from before the rule, each to be mended. The lists only get shorter. */
const knownFiles = [
  // The player is loaded late, and the page knows it by the type of that import.
  'src/features/viewing/viewer-app/video/video-controls.tsx, src/features/viewing/viewer-app/video/video-player.ts, src/features/viewing/viewer-app/video/video.tsx, src/features/viewing/viewer-app/viewer-app.ts',
];
const knownFolders = ['albums: items, pages', 'viewing: leases, visits', 'viewing: opening, paying'];

/** Roots from before the rule. */
const knownRoots = {
  large: { accounts: 40, links: 31, marketing: 34, media: 37, notices: 34 },
  sameNoun: ['albums/uploads.ts', 'links/passes.ts'],
};

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
  maxBuffer: 64_000_000,
});
const files = [...new Set(listed.split('\0'))].filter((file) => /\.(?:tsx?|mjs)$/.test(file) && existsSync(file));
const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const found = [
  ...findFileCircles(sources, knownFiles),
  ...findFolderCircles(sources, knownFolders),
  ...findRootFaults(files, knownRoots),
];
if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
}
