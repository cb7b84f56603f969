/** The parts of an installation that can stop by themselves, in the order in which they are looked at. */
export const pulseParts = [
  'database',
  'backup',
  'storage',
  'disk',
  'queue',
  'mail',
  'provider',
  'clock',
  'keys',
  'certificate',
  'machine',
] as const;
export type PulsePart = (typeof pulseParts)[number];

/** `unknown`: nobody can tell while another part is down, or it was not looked at yet; `off`: it is not set up here. */
export const pulseLights = ['green', 'amber', 'red', 'unknown', 'off'] as const;
export type PulseLight = (typeof pulseLights)[number];

/** How one part is. */
export interface PartState {
  part: PulsePart;
  light: PulseLight;
  /** What was found, for the operator: figures and names of places, never a secret. */
  finding: string;
  /** Since when the light is what it is; null before the first look. */
  since: Date | null;
}

/** How the parts of an installation are, as one of its processes sees them. */
export interface Pulse {
  /** Looks often for as long as somebody asks. @returns every part, looked at lately */
  watch(): Promise<readonly PartState[]>;
  /** Which version of the product that process is. */
  version: string;
  /** What is known without looking. */
  known(): readonly PartState[];
}
