/**
 * Puts a .br and a .gz beside every text file over 1 KiB of a folder, so that the server never compresses a static file.
 *
 *   node scripts/precompress.mjs build
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const folder = process.argv[2] ?? 'build';
const isText = /\.(css|html|js|json|map|mjs|svg|txt|webmanifest|xml)$/;
const smallestBytes = 1024;

const files = readdirSync(folder, { recursive: true })
  .map((name) => path.join(folder, name))
  .filter((file) => isText.test(file) && statSync(file).isFile() && statSync(file).size > smallestBytes);
const before = new Map(files.map((file) => [file, readFileSync(file)]));
const after = await Promise.all([...before].map(([file, bytes]) => compress(file, bytes)));
const kilobytes = (sum) => Math.round(sum / 1024);
console.log(
  `precompressed ${files.length} files: ${kilobytes(total([...before.values()]))} KB, as brotli ${kilobytes(total(after))} KB`,
);

/** Both forms at their densest: it is done once, at build time. */
async function compress(file, bytes) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  writeFileSync(`${file}.br`, brotli);
  writeFileSync(`${file}.gz`, gzipped);
  return brotli;
}

function total(buffers) {
  return buffers.reduce((sum, buffer) => sum + buffer.length, 0);
}
