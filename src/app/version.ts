import { readFileSync } from 'node:fs';

const { version: read } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Which version of the product this is. */
export const version = read;
