/** Something on a page, by what a person knows it by: its role and its words. Words that are a string are the whole of them. */
export type Target = { inside?: Target } & (
  | { by: 'role'; role: string; words?: string | RegExp }
  | { by: 'label'; words: string | RegExp }
  | { by: 'text'; words: string | RegExp }
  | { by: 'css'; css: string }
);

const byRole = (role: string) => (words: string | RegExp) => ({ by: 'role', role, words }) as const;
export const button = byRole('button');
export const link = byRole('link');
export const heading = byRole('heading');
export const checkbox = byRole('checkbox');
export const radio = byRole('radio');
export const menuItem = byRole('menuitem');
export const option = byRole('option');
/** A dialog, by its title; the open one without it. */
export const dialog = (words?: string | RegExp): Target => ({ by: 'role', role: 'dialog', ...(words && { words }) });
export const alert: Target = { by: 'role', role: 'alert' };

/** What is typed into, by its label. */
export const field = (words: string | RegExp): Target => ({ by: 'label', words });
export const text = (words: string | RegExp): Target => ({ by: 'text', words });
export const css = (selector: string): Target => ({ by: 'css', css: selector });
export const inside = (outer: Target, inner: Target): Target => ({ ...inner, inside: outer });

/** How a failure names it. */
export function describeTarget(target: Target): string {
  const outer = target.inside ? ` inside ${describeTarget(target.inside)}` : '';
  if (target.by === 'css') return `${target.css}${outer}`;
  const words = target.words === undefined ? '' : ` “${target.words}”`;
  return `${target.by === 'role' ? target.role : target.by}${words}${outer}`;
}
