import type { Engines } from '#engines/engines.ts';
import { hourMs } from '#kit/time.ts';
import { withoutCredentials } from '#kit/without-credentials.ts';
import type { AdminContext } from '#wire/context.ts';
import type { ComponentId, InstallationState } from '../operations-contract.ts';
import { countWorkers } from '../workers-store.ts';
import { groupCalls } from './call-groups.ts';
import { countStored, sumCalls } from './installation-store.ts';

/** Shows where the parts of the installation are and what flows between them; nobody's data, and nothing that lets somebody in. */
export async function showInstallation({
  engines,
  asSystem,
  pulse,
}: Pick<AdminContext, 'engines' | 'asSystem' | 'pulse'>): Promise<InstallationState> {
  const now = engines.clock();
  const since = new Date(now - hourMs);
  const queues = await engines.jobs.overview();
  const { sums, stored, workers } = await asSystem(async (tx) => ({
    sums: await sumCalls(tx, since),
    stored: await countStored(tx, since, new Date(now)),
    workers: await countWorkers(tx),
  }));
  return {
    places: placesOf(engines, pulse.version),
    figures: {
      ...groupCalls(sums),
      ...stored,
      workers: workers.count,
      jobsWaiting: queues.reduce((sum, { waiting }) => sum + waiting, 0),
      jobsRunning: queues.reduce((sum, { running }) => sum + running, 0),
      masterKeys: engines.keys.all.size,
      statements: engines.database.statementCount(),
    },
  };
}

/** Returns where each component is. What an engine says of its place is cleaned once more: an engine may be written by anybody. */
function placesOf(engines: Engines, version: string): InstallationState['places'] {
  const { installation, database, storage, mail, payments, assistant } = engines;
  const { publicUrl, dataDir, backupDir } = installation;
  const places: Record<ComponentId, string> = {
    browsers: `anywhere; they come to ${publicUrl}`,
    web: `PrivateFans ${version}, data in ${dataDir}`,
    queue: 'tables of the database',
    workers: 'beside the web process, or on machines of their own (PF_ROLE)',
    database: database.place,
    storage: storage.place,
    keys: `PF_KEYS, or keys.json in ${dataDir}`,
    backup: backupDir ?? 'BACKUP_DIR is not set',
    mail: mail.place,
    provider: payments.place,
    push: 'Google, Mozilla, Microsoft and Apple, by the browser',
    assistant: assistant.host ?? 'this process: the help texts answer',
  };
  return Object.fromEntries(Object.entries(places).map(([id, place]) => [id, withoutCredentials(place)])) as Record<
    ComponentId,
    string
  >;
}
