import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';

/** Who acts on the installation: an administrator, or the command line. */
export type Acting = { type: 'admin'; id: string; requestId?: string } | { type: 'system' };

/** What a look at the installation needs, whoever looks: an administrator in their browser, or the command line. */
export interface Desk {
  engines: Pick<Engines, 'clock'>;
  /** Runs statements as the system, in one transaction. */
  asSystem<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
}
