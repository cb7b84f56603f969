import { openWalls } from '#engines/children/walls.ts';
import type { Engines } from '#engines/engines.ts';
import { openOnce } from '#engines/once.ts';
import { openVideoEngine } from '#engines/video/open-engine.ts';
import { openClipReader } from '../clips/clip-reader.ts';
import { openTracer } from '../photos/tracer.ts';
import type { TraceContext } from './trace-context.ts';

/** What reads a copy. */
export interface TraceTools {
  /** Lends tools to one trace. */
  lend(run: (lent: Pick<TraceContext, 'tracer' | 'clipReader'>) => Promise<void>): Promise<void>;
  /** Closes those that are lent. */
  close(): Promise<void>;
}

/** The walls and the video engine come with the first copy. @param entry first file of the child that reads copies; default: our own */
export function openTraceTools({ installation, log }: Engines, entry: string | undefined): TraceTools {
  const closing = new Set<() => Promise<void>>();
  const wallsOf = openOnce(async () => {
    const { dataDir, backupDir } = installation;
    const hidden = backupDir === undefined ? [dataDir] : [dataDir, backupDir];
    const walls = await openWalls({ hidden, readable: entry === undefined ? [] : [entry] });
    log.info({ wall: walls.wall.name }, 'leaked copies are read behind this wall');
    return walls;
  });
  const engineOf = openOnce(async () => {
    const engine = await openVideoEngine(await wallsOf());
    if (engine === undefined) log.warn({}, 'clips cannot be read: install ffmpeg 5.1 or newer');
    return engine;
  });
  return {
    // What was decoded for one creator, and what a file may have done to its decoder, ends with its trace.
    async lend(run) {
      const walls = await wallsOf();
      const tracer = openTracer(walls, entry === undefined ? {} : { entry });
      const clipReader = openClipReader(walls, await engineOf());
      const close = async () => void (await Promise.all([tracer.close(), clipReader.close()]));
      closing.add(close);
      try {
        await run({ tracer, clipReader });
      } finally {
        closing.delete(close);
        await close();
      }
    },
    async close() {
      await Promise.all([...closing].map((close) => close()));
    },
  };
}
