import type { Config } from '@react-router/dev/config';

/** No server rendering at run time: the studio is one static shell. Public pages are rendered beside it (`vite.public.config.ts`). */
export default {
  appDirectory: 'src/app',
  ssr: false,
} satisfies Config;
