/** Browser engines, by the names of `npm run journeys -- --engine <name>`. */
export const engineNames = ['chromium', 'firefox', 'webkit'] as const;
export type EngineName = (typeof engineNames)[number];

/** Debian's packages of those that do not come from npm. */
export const enginePackages: Readonly<Record<Exclude<EngineName, 'chromium'>, string>> = {
  firefox: 'firefox-esr',
  webkit: 'webkit2gtk-driver xvfb gstreamer1.0-libav gstreamer1.0-plugins-good gstreamer1.0-plugins-bad',
};
