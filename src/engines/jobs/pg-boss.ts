import { type QueueOptions as BossQueue, type Clock, type ConstructorOptions, type Job, PgBoss } from 'pg-boss';
import { withDeadline } from '#engines/deadline.ts';
import type { Database } from '../database/database.ts';
import type { Log } from '../engines.ts';
import { isLaidAside, listFailedJobs, readQueueStates } from './job-lists.ts';
import { JobRequeued, type Jobs, type QueueOptions } from './jobs.ts';
import { watchClock } from './set-back.ts';

/** Where jobs go that failed too often; they wait there for a person. */
const deadLetters = 'dead';

/** pg-boss runs on real time, also where the clock of the app is turned. */
const steadyClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (run, ms) => setInterval(run, ms),
  clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout),
};

const policies = { any: 'standard', one_running: 'singleton', one_waiting: 'short', one: 'exclusive' } as const;

interface Declared {
  queue: string;
  run: (data: object, signal: AbortSignal, isLastTry: boolean) => Promise<void>;
  options: QueueOptions;
  cron?: string;
}

/**
 * A worker that says nothing for so long has lost its job to another one. It is told by the clock: a process that is short of CPU,
 * or waits for a database that is, says so late and works on all the same. A killed one's jobs still go on within a minute.
 */
const silenceSeconds = 30;

/** Returns how a queue is kept by pg-boss. */
const shapeOf = ({ retryLimit = 3, retryDelaySeconds = 1, expireInSeconds = 900 }: QueueOptions) => ({
  notify: true,
  heartbeatSeconds: silenceSeconds,
  retryLimit,
  retryDelay: retryDelaySeconds,
  retryBackoff: true,
  expireInSeconds,
  deleteAfterSeconds: 86_400,
  // What waits is never thrown away: without this it would be after 14 days, or when the clock jumps on.
  retentionSeconds: 10 * 365 * 86_400,
});

/** Returns what may be kept of a job's error: its words and where, never the values that a database adds to them. */
const wordsOf = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

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
  const { log } = settings;
  const declared = new Map<string, Declared>();
  let starting: Promise<PgBoss> | undefined;
  let watching: Promise<() => Promise<void>> | undefined;

  const declare = (one: Declared) => {
    if (starting !== undefined) throw new Error(`The queue ${one.queue} was declared after the start.`);
    if (declared.has(one.queue)) throw new Error(`The queue ${one.queue} was declared twice.`);
    declared.set(one.queue, one);
  };
  const started = () => starting ?? Promise.reject(new Error('Jobs were not started.'));

  return {
    ...readingLists(started, declared),
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
      if (work) watching ??= watchClock(boss, log);
      await watching;
    },
    async ageSeconds(queue) {
      const { rows } = await askBoss<{ age: number }>(await started(), oldestWaiting, [deadLetters, queue ?? null]);
      return rows[0]?.age ?? 0;
    },
    async counts() {
      return (await askBoss<{ queue: string; state: string; count: number }>(await started(), countsByState, [])).rows;
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
): Pick<Jobs, 'overview' | 'failed' | 'retry'> => ({
  async overview() {
    const queues = [...declared.values()].map(({ queue, cron }) => ({ queue, cron: cron ?? null }));
    return readQueueStates(await started(), queues);
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

/** So long a job that has begun may go on when its process stops; then it is given back. */
const stopPatienceMs = 4000;

const oldestWaiting = `
  select coalesce(extract(epoch from now() - min(greatest(created_on, start_after))), 0)::float8 as age
  from pgboss.job where state < 'active' and start_after <= now() and name <> $1 and not starts_with(name, '__')
    and name = coalesce($2, name)`;

const countsByState = `
  select name as queue, state::text, count(*)::int from pgboss.job where not starts_with(name, '__') group by 1, 2 order by 1, 2`;

const askBoss = <Row>(boss: PgBoss, text: string, values: unknown[]) =>
  boss.getDb().executeSql(text, values) as Promise<{ rows: Row[] }>;

async function open(settings: JobsSettings, declared: readonly Declared[], work: boolean): Promise<PgBoss> {
  const { database, log, lookAgainSeconds = 5 } = settings;
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
    for (const one of declared) await startWorkers(boss, { log, lookAgainSeconds }, one);
    await declareSchedules(boss, declared);
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
}

/** Makes what is missing and corrects what differs; several processes may do it at once. */
async function declareQueues(boss: PgBoss, declared: readonly Declared[]): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  if (!known.has(deadLetters))
    await boss.createQueue(deadLetters, { retentionSeconds: 30 * 86_400, deleteAfterSeconds: 30 * 86_400 });
  for (const { queue, options } of declared) {
    const policy = policies[options.perKey ?? 'any'];
    const wanted = { ...shapeOf(options), deadLetter: deadLetters };
    const found = known.get(queue);
    if (found === undefined) await boss.createQueue(queue, { ...wanted, policy });
    else if (found.policy !== policy)
      throw new Error(`The queue ${queue} exists with another rule per key. Give the new one a new name.`);
    else if (differs(found, wanted)) await boss.updateQueue(queue, wanted);
  }
}

const differs = (found: BossQueue, wanted: BossQueue) =>
  Object.entries(wanted).some(([name, value]) => found[name as keyof BossQueue] !== value);

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

/** One pg-boss worker for each job that may run at once; each looks for the next job as soon as it has finished one. */
async function startWorkers(
  boss: PgBoss,
  { log, lookAgainSeconds }: Required<Pick<JobsSettings, 'log' | 'lookAgainSeconds'>>,
  { queue, run, options }: Declared,
): Promise<void> {
  const shaped = shapeOf(options);
  for (let n = 0; n < (options.atOnce ?? 1); n++) {
    const pace = {
      pollingIntervalSeconds: Math.min(2, lookAgainSeconds),
      notifyPollingIntervalSeconds: lookAgainSeconds,
      heartbeatRefreshSeconds: 4,
    };
    const worker = await boss.work<object>(queue, pace, async ([job]: Job<object>[]) => {
      if (job === undefined) return;
      try {
        // After that the job is somebody else's: whoever had it until then ends.
        const isLastTry = job.retryCount >= shaped.retryLimit;
        await withDeadline(shaped.expireInSeconds * 1000, () => run(job.data, job.signal, isLastTry));
      } catch (error) {
        const failure = wordsOf(error);
        if (error instanceof JobRequeued) log.info({ area: 'jobs', queue, job: job.id }, 'a job was put back');
        else log.error({ area: 'jobs', queue, job: job.id, tries: job.retryCount + 1, err: failure }, 'a job failed');
        throw new Error(failure.message);
      } finally {
        boss.notifyWorker(worker);
      }
    });
  }
}

async function declareSchedules(boss: PgBoss, declared: readonly Declared[]): Promise<void> {
  const known = await boss.getSchedules();
  for (const { queue, cron } of declared) {
    if (cron !== undefined && !known.some(({ name, cron: kept }) => name === queue && kept === cron))
      await boss.schedule(queue, cron);
  }
  for (const { name } of known)
    if (!declared.some(({ queue, cron }) => queue === name && cron !== undefined)) await boss.unschedule(name);
}
