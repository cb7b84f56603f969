/** A place as far as it is known, and from where. */
export interface Place {
  /** ISO 3166-1 alpha-2, or undefined when unknown: there is no made-up default. */
  country?: string;
  region?: string;
  city?: string;
  source: 'ip' | 'edge' | 'timezone' | 'unknown';
}

/** Finds the country of an address in a local file; asks nobody. */
export interface PlaceFinder {
  countryOf(address: string): string | undefined;
}
