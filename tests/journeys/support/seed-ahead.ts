import { makeSeededData } from './seeded-data.ts';

/**
 * Makes what all journeys start from, beside something else.
 * @example node tests/journeys/support/seed-ahead.ts FOLDER
 */
const [folder = ''] = process.argv.slice(2);
const end = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort());
await makeSeededData(folder, end.signal);
