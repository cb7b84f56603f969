const named = new Map<string, Intl.DisplayNames>();

/**
 * The name of a country: "Germany" for `DE`; the code itself where it has none.
 * @param locale in whose words; without one in those of the browser
 */
export function nameCountry(code: string, locale?: string): string {
  const key = locale ?? '';
  const names =
    named.get(key) ?? new Intl.DisplayNames(locale === undefined ? [] : [locale], { type: 'region', fallback: 'code' });
  named.set(key, names);
  return names.of(code) ?? code;
}
