import path from 'node:path';
import type { Engines } from '#engines/engines.ts';
import { sniffKind } from '#features/media/formats/sniff.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { removeStaged } from '../staging.ts';
import { endUpload, stagingOf, type UploadRow } from '../uploads-store.ts';
import { refuseByHead } from './upload-rules.ts';

/** Ends an upload whose first part shows that the others come in vain. @returns why, or undefined when it may go on */
export async function endByHead(engines: Engines, { id, creator_id: userId, bytes }: UploadRow) {
  const { dataDir } = engines.installation;
  // A disk that can't be read now shows nothing; whoever writes to it next says so.
  const kind = await sniffKind(path.join(stagingOf(dataDir), id)).catch(() => 'unknown' as const);
  const refused = kind === 'unknown' ? undefined : refuseByHead(await settingsOf(engines), kind, bytes);
  if (refused === undefined) return undefined;
  const failCode = refused.code === 'FILE_TOO_BIG' ? 'TOO_BIG' : 'UNSUPPORTED';
  await engines.database.work({ kind: 'user', userId }, (tx) => endUpload(tx, id, { state: 'aborted', failCode }));
  await removeStaged(dataDir, id);
  return refused;
}
