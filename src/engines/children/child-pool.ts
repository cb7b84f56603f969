import type { Child } from './child.ts';
import { runTask } from './run-task.ts';
import type { PoolOptions, PoolTask, TaskOutcome } from './task.ts';
import type { Walls } from './walls.ts';

/** Children that decode foreign bytes, at most so many at once; further tasks wait their turn. */
export interface ChildPool {
  /**
   * Runs a task; one that is too heavy for a child that still holds memory of earlier tasks is tried once more in a new child.
   * @throws Error when the input breaks, the signal fires, the pool closes, or the child reports an error of ours
   */
  run(task: PoolTask): Promise<TaskOutcome>;
  /** Ends every child; what runs or waits is rejected or ends as `died`. */
  close(): Promise<void>;
}

type Member = { child: Child; tasks: number; idle?: NodeJS.Timeout };
type Waiter = { resolve(member: Member): void; reject(error: Error): void };

/** The children of a pool: who works, who rests, and what waits for one of them. */
function openMembers(walls: Walls, options: PoolOptions) {
  const members = new Set<Member>();
  const resting = new Set<Member>();
  const waiting: Waiter[] = [];
  let isOpen = true;

  const enlist = (): Member => {
    const member: Member = { child: walls.start(options), tasks: 0 };
    members.add(member);
    return member;
  };

  const take = async (): Promise<Member> => {
    if (!isOpen) throw new Error('the pool is closed');
    for (const member of resting) {
      clearTimeout(member.idle);
      resting.delete(member);
      if (member.child.isAlive()) return member;
      members.delete(member);
    }
    if (members.size < options.children) return enlist();
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  };

  const dismiss = async (member: Member): Promise<void> => {
    clearTimeout(member.idle);
    resting.delete(member);
    await member.child.kill();
    members.delete(member);
    if (isOpen && members.size < options.children) waiting.shift()?.resolve(enlist());
  };

  /** A new child in the place of one that was ended. */
  const replace = async (member: Member): Promise<Member> => {
    await member.child.kill();
    members.delete(member);
    if (!isOpen) throw new Error('the pool is closed');
    return enlist();
  };

  const release = (member: Member): Promise<void> | void => {
    const isSpent = member.tasks >= options.tasksPerChild || (member.child.residentBytes() ?? 0) > options.restBytes;
    if (!isOpen || isSpent || !member.child.isAlive()) return dismiss(member);
    const next = waiting.shift();
    if (next) return next.resolve(member);
    member.idle = setTimeout(dismiss, 1000 * options.idleSeconds, member);
    resting.add(member);
  };

  return {
    take,
    replace,
    release,
    async close(): Promise<void> {
      isOpen = false;
      for (const { reject } of waiting.splice(0)) reject(new Error('the pool is closed'));
      await Promise.all([...members].map(dismiss));
    },
  };
}

/** Opens a pool; its children start when there is something to do. */
export function openChildPool(walls: Walls, options: PoolOptions): ChildPool {
  const members = openMembers(walls, options);
  return {
    async run(task) {
      task.signal?.throwIfAborted();
      let member = await members.take();
      try {
        const isUsed = member.tasks > 0;
        const outcome = await runTask(member.child, String(member.tasks++), task, options);
        if (outcome.ended !== 'overweight' || !isUsed) return outcome;
        member = await members.replace(member);
        return await runTask(member.child, String(member.tasks++), task, options);
      } finally {
        await members.release(member);
      }
    },
    close: members.close,
  };
}
