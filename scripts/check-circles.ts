/** `npm run imports`: refuses files that need each other, whatever folder they lie in, and folders of a room that do. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findFileCircles, findFolderCircles } from './import-circles.ts';

/** Circles from before the rule, each to be mended. The lists only get shorter. */
const knownFiles = [
  // The player is loaded late, and the page knows it by the type of that import.
  'src/features/viewing/viewer-app/video/video-controls.tsx, src/features/viewing/viewer-app/video/video-player.ts, src/features/viewing/viewer-app/video/video.tsx, src/features/viewing/viewer-app/viewer-app.ts',
];
const knownFolders = ['albums: items, pages', 'viewing: leases, visits', 'viewing: opening, paying'];

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
  maxBuffer: 64_000_000,
});
const files = [...new Set(listed.split('\0'))].filter((file) => /\.(?:tsx?|mjs)$/.test(file) && existsSync(file));
const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const found = [...findFileCircles(sources, knownFiles), ...findFolderCircles(sources, knownFolders)];
if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
}
