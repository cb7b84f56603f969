/** Returns what was sent as `name[0]`, `name[1]` …, as the lists that it stands for. */
export function withLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLists);
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value);
  if (parts.length > 0 && parts.every(([name], at) => name === String(at)))
    return parts.map(([, inner]) => withLists(inner));
  return Object.fromEntries(parts.map(([name, inner]) => [name, withLists(inner)]));
}
