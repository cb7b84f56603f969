import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One real file, and what a reference decoder made of it. */
export interface CameraFile {
  name: string;
  path: string;
  /** Type found in its bytes, `null` when none was. */
  sniffed: string | null;
  /** Begins with `ok` when the reference could decode it, else says why not. */
  reference: string;
}

/** Real and deliberately broken files: `PF_MEDIA`, or a folder beside the repository; undefined where there is none. */
export function findCameraMaterial(): CameraFile[] | undefined {
  const beside = fileURLToPath(new URL('../../../../shared/media', import.meta.url));
  const folder = process.env.PF_MEDIA ?? beside;
  const manifest = join(folder, 'manifest.json');
  if (!existsSync(manifest)) return;
  const parsed = JSON.parse(readFileSync(manifest, 'utf8'));
  const entries: { file: string; sniffed?: string; reference?: string }[] = Array.isArray(parsed)
    ? parsed
    : parsed.files;
  return entries
    .filter(({ reference }) => typeof reference === 'string')
    .map(({ file, sniffed, reference }) => ({
      name: file,
      path: join(folder, file),
      sniffed: sniffed ?? null,
      reference: String(reference),
    }));
}
