import { type Clock, type ConstructorOptions, PgBoss } from 'pg-boss';
import type { Database } from '../database/database.ts';
import type { Log } from '../engines.ts';
import {
  deleteOldDead,
  deleteOldDone,
  isLaidAside,
  listFailedJobs,
  listOldDead,
  readQueueStates,
} from './job-lists.ts';
import type { Jobs, RunListener } from './jobs.ts';
import { deletePaused, insertPaused, readPaused } from './pausing.ts';
import { type Declared, deadLetters, declareQueues, declareSchedules, shapeOf } from './queues.ts';
import { beginWork } from './workers.ts';

/** pg-boss runs on real time, also where the clock of the app is turned. */
const steadyClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (run, ms) => setInterval(run, ms),
  clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout),
};

const usualLookSeconds = 5;

/** Where jobs are kept, and how. */
interface JobsSettings {
  database: Database;
  log: Log;
  /** So long a job may wait of which nothing was told: one that is tried again, or whose key is worked on no more. */
  lookAgainSeconds?: number;
}

/**
 * Jobs in the same database as the rows they are about (pg-boss in the schema `pgboss`).
 * Nothing is opened before `start`.
 */
export function openJobs(settings: JobsSettings): Jobs {
  const declared = new Map<string, Declared>();
  let starting: Promise<PgBoss> | undefined;
  let watching: Promise<() => Promise<void>> | undefined;
  const listeners: RunListener[] = [];
  const hear: RunListener = (run) => {
    for (const listener of listeners) listener(run);
  };

  const declare = (one: Declared) => {
    if (starting !== undefined) throw new Error(`The queue ${one.queue} was declared after the start.`);
    if (declared.has(one.queue)) throw new Error(`The queue ${one.queue} was declared twice.`);
    declared.set(one.queue, one);
  };
  const started = () => starting ?? Promise.reject(new Error('Jobs were not started.'));

  return {
    ...readingLists(started, declared),
    ...pausing(started, declared),
    listen: (listener) => void listeners.push(listener),
    handle(queue, run, options = {}) {
      declare({ queue, run: run as Declared['run'], options });
    },
    every(cron, queue, run, options = {}) {
      declare({ queue, run, cron, options: { ...options, perKey: 'one' } });
    },
    async send(tx, queue, data, { singletonKey, priority, startAfterSeconds } = {}) {
      const boss = await started();
      const options = {
        ...(singletonKey === undefined ? {} : { singletonKey }),
        ...(priority === undefined ? {} : { priority }),
        ...(startAfterSeconds === undefined ? {} : { startAfter: startAfterSeconds }),
      };
      await tx.asSystem(async ({ client }) => {
        await boss.send(queue, data, { ...options, db: { executeSql: (text, values) => client.query(text, values) } });
      });
    },
    async start(work) {
      starting ??= open(settings, [...declared.values()], work);
      const boss = await starting;
      if (work)
        watching ??= beginWork(
          boss,
          { ...settings, lookAgainSeconds: settings.lookAgainSeconds ?? usualLookSeconds, hear },
          [...declared.values()],
        );
      await watching;
    },
    async stop() {
      const boss = await starting?.catch(() => undefined);
      const endWatch = await watching?.catch(() => undefined);
      await endWatch?.();
      await boss?.stop({ graceful: true, timeout: stopPatienceMs });
      // A connection that is still closing hears that the server goes down as well: nothing is asked of it any more.
      boss?.removeAllListeners('error').on('error', () => undefined);
    },
  };
}

/** The lists by which an operator sees how jobs do. */
const readingLists = (
  started: () => Promise<PgBoss>,
  declared: ReadonlyMap<string, Declared>,
): Pick<
  Jobs,
  'overview' | 'failed' | 'retry' | 'ageSeconds' | 'counts' | 'deadLetters' | 'removeDead' | 'forgetDone'
> => ({
  deadLetters: async (limit) => listOldDead(await started(), deadLetters, limit),
  removeDead: async (ids) => deleteOldDead(await started(), deadLetters, ids),
  forgetDone: async () => deleteOldDone(await started()),
  async ageSeconds(queue) {
    const { rows } = await askBoss<{ age: number }>(await started(), oldestWaiting, [deadLetters, queue ?? null]);
    return rows[0]?.age ?? 0;
  },
  async counts() {
    return (await askBoss<{ queue: string; state: string; count: number }>(await started(), countsByState, [])).rows;
  },
  async overview() {
    const queues = [...declared.values()].map(({ queue, cron = null, options }) => {
      const { retryLimit, expireInSeconds } = shapeOf(options);
      return { queue, cron, atOnce: options.atOnce ?? 1, retryLimit, expireInSeconds };
    });
    const boss = await started();
    return readQueueStates(boss, queues, await readPaused(boss));
  },
  async failed(limit) {
    return listFailedJobs(await started(), deadLetters, limit);
  },
  async retry(queue, id) {
    if (!declared.has(queue)) return false;
    const boss = await started();
    if (!(await isLaidAside(boss, queue, id))) return false;
    await boss.retry(queue, id);
    return true;
  },
});

/** Has queues wait and go on, and jobs come out of turn. */
const pausing = (
  started: () => Promise<PgBoss>,
  declared: ReadonlyMap<string, Declared>,
): Pick<Jobs, 'runNow' | 'pause' | 'resume' | 'paused'> => ({
  async runNow(tx, queue) {
    if (declared.get(queue)?.cron === undefined) return 'unknown';
    const boss = await started();
    const id = await tx.asSystem(({ client }) =>
      boss.send(queue, {}, { db: { executeSql: (text, values) => client.query(text, values) } }),
    );
    return id === null ? 'busy' : 'sent';
  },
  pause: async (tx, queue, by) => declared.has(queue) && insertPaused(tx, queue, by),
  resume: deletePaused,
  paused: async () => readPaused(await started()),
});

/** So long a job that has begun may go on when its process stops; then it is given back. */
const stopPatienceMs = 4000;

const oldestWaiting = `
  select coalesce(extract(epoch from now() - min(greatest(created_on, start_after))), 0)::float8 as age
  from pgboss.job where state < 'active' and start_after <= now() and name <> $1 and not starts_with(name, '__')
    and name = coalesce($2, name) and ($2::text is not null or name not in (select queue from public.paused_queues))`;

const countsByState = `
  select name as queue, state::text, count(*)::int from pgboss.job where not starts_with(name, '__') group by 1, 2 order by 1, 2`;

const askBoss = <Row>(boss: PgBoss, text: string, values: unknown[]) =>
  boss.getDb().executeSql(text, values) as Promise<{ rows: Row[] }>;

async function open(settings: JobsSettings, declared: readonly Declared[], work: boolean): Promise<PgBoss> {
  const { database, log, lookAgainSeconds = usualLookSeconds } = settings;
  const boss = new PgBoss({
    ...database.connection,
    // The server gives up first what takes too long, so that nothing is asked again while it still runs.
    options: '-c role=app_system -c statement_timeout=14000',
    application_name: 'jobs',
    keepAlive: true,
    // A line that died without a word would keep its place among the five for ever.
    query_timeout: 15_000,
    max: 5,
    clock: steadyClock,
    schema: 'pgboss',
    createSchema: false,
    useListenNotify: work,
    supervise: work,
    schedule: work,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 5,
    // It tells which keys are worked on: for so long the next job of a key may wait in vain.
    queueCacheIntervalSeconds: lookAgainSeconds,
    // The calendar goes by the database's clock as it was when it was last asked.
    clockMonitorIntervalSeconds: 30,
  } as ConstructorOptions);
  boss.on('error', (error) => log.error({ area: 'jobs', err: error }, 'the job store failed'));
  let isSkewLogged = false;
  boss.on('warning', ({ message }) => {
    // Since the clock jumped, the steady one differs from the database's until the next start: said once.
    const isSkew = /clock skew/i.test(message);
    if (!isSkew || !isSkewLogged) log.warn({ area: 'jobs' }, message);
    isSkewLogged ||= isSkew;
  });
  try {
    await boss.start();
    await declareQueues(boss, declared);
    if (!work) return boss;
    if (database.isAlone) await takeBack(boss);
    await declareSchedules(boss, declared);
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
}

/**
 * Jobs that a killed process left active are waiting again at once. Only for a process that booted the embedded
 * server itself: nobody else can be working on what was begun before that server started.
 */
async function takeBack(boss: PgBoss): Promise<void> {
  await askBoss(
    boss,
    `update pgboss.job set state = 'retry', start_after = now()
     where state = 'active' and retry_count < retry_limit and started_on < pg_postmaster_start_time()`,
    [],
  );
}
