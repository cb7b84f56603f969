import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import sharp from 'sharp';

/** The same photos as plain files. */
interface PlainPhoto {
  small: Buffer;
  full: Buffer;
}

const webp = { quality: 82, effort: 2 };

async function shrink(file: string): Promise<PlainPhoto> {
  const full = await sharp(file)
    .rotate()
    .resize(2048, 2048, { fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return {
    small: await sharp(full).resize(512, 512, { fit: 'inside' }).webp(webp).toBuffer(),
    full: await sharp(full).webp(webp).toBuffer(),
  };
}

/** No door, no list, nothing encrypted: the first photo at high priority, and one photo in full after a tap. */
const pageOf = (photos: readonly PlainPhoto[]) => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><title>plain</title>
<style>body{margin:0}img{width:33%;aspect-ratio:1;object-fit:cover}#full{position:fixed;inset:0;width:100%}</style>
${photos.map((_, n) => `<img src="/small/${n}"${n === 0 ? ' fetchpriority="high"' : ''} onload="performance.mark('sharp-${n}')">`).join('\n')}
<script>document.images[0].onclick=()=>{performance.mark('pick');const full=new Image();full.id='full';
full.onload=()=>performance.mark('full-0');full.src='/full/0';document.body.append(full)}</script></html>`;

/** Serves the same photos as a plain page of pictures, as small as such a page can be. */
export async function servePlainPage(files: readonly string[]) {
  const photos: PlainPhoto[] = [];
  for (const file of files) photos.push(await shrink(file));
  const page = brotliCompressSync(pageOf(photos));
  const server = createServer((request, response) => {
    const [, kind, n = ''] = /^\/(small|full)\/(\d+)$/.exec(request.url ?? '') ?? [];
    const bytes = photos[Number(n)]?.[kind === 'full' ? 'full' : 'small'];
    if (kind === undefined || bytes === undefined) {
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-encoding': 'br',
        'content-length': page.length,
      });
      return response.end(page);
    }
    response.writeHead(200, { 'content-type': 'image/webp', 'content-length': bytes.length });
    return response.end(bytes);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    fullBytes: photos[0]?.full.length ?? 0,
    close: () => void server.close(),
  };
}
