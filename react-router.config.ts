import type { Config } from '@react-router/dev/config';

/** No server rendering at run time: public pages are prerendered at build time, the rest is one static shell. */
export default {
  appDirectory: 'src/app',
  ssr: false,
  prerender: ['/', '/pricing', '/help', '/privacy-policy', '/terms-of-use', '/acceptable-use'],
} satisfies Config;
