/** The oldest browsers in which everything works: what is written, built and checked is for them. Also in docs/threats.md. */
export const oldestBrowsers = { safari: '16.4', safari_ios: '16.4', chrome: '109', firefox: '115' } as const;

/** The same, as Vite's `build.target` names them. */
export const buildTarget = ['safari16.4', 'chrome109', 'firefox115'];
