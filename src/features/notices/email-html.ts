import type { Engine } from 'mrml';
import { escapeHtml } from '#kit/text.ts';
import type { EmailText, Part } from './email-words.ts';

let opening: Promise<Engine> | undefined;

/** The library is 11 MB of a small process's memory, so it waits for the first email. */
function openEngine(): Promise<Engine> {
  opening ??= import('mrml').then((library) => new library.Engine());
  return opening;
}

/** Of these MJML's library would load none from elsewhere, as it does for Roboto and others that it knows. */
const face = 'ui-sans-serif, system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif';
/** The colours of the pages' light scheme, as programs that show emails know them. */
const colours = {
  paper: '#fdf9f4',
  raised: '#ffffff',
  ink: '#231521',
  quiet: '#685866',
  line: '#e3dbe2',
  plum: '#6f1c52',
  onPlum: '#fdf9f4',
} as const;

/** Programs with a dark scheme of their own take these; the others keep the light one. */
const style = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  body, .paper, .paper > table { background: #140d13 !important; }
  .sheet, .sheet > table { background: #1f161e !important; }
  .sheet td { border-color: #352934 !important; }
  .sheet div, .sheet h1, .sheet p { color: #f2eee7 !important; }
  .sheet .quiet div, .quiet div { color: #b2a6b1 !important; }
  .sheet a.plain, a.plain { color: #e092b7 !important; }
}`;

/**
 * An email as HTML: one column, words and links, nothing that has to be fetched – no picture, no font, no pixel.
 * @throws when the library refuses it, which is a bug
 */
export async function htmlOf(
  { subject, parts }: Pick<EmailText, 'subject' | 'parts'>,
  footer: readonly Part[] = [],
): Promise<string> {
  const title = escapeHtml(subject);
  const firstLink = parts.find(({ kind }) => kind === 'link');
  const body = parts.map((part) => markupOf(part, part === firstLink)).join('');
  const below = footer.map((part) => markupOf(part, false)).join('');
  const engine = await openEngine();
  const made = engine.toHtml(`<mjml lang="en"><mj-head><mj-title>${title}</mj-title>
<mj-attributes><mj-all font-family="${face}" /><mj-text font-size="16px" line-height="24px" color="${colours.ink}" padding="0 28px 16px" /></mj-attributes>
<mj-style>${style}</mj-style></mj-head><mj-body width="560px" background-color="${colours.paper}" css-class="paper">
<mj-section padding="24px 12px 12px"><mj-column><mj-text padding="0 16px" font-size="15px" color="${colours.quiet}" css-class="quiet">PrivateFans</mj-text></mj-column></mj-section>
<mj-wrapper padding="0 12px"><mj-section css-class="sheet" background-color="${colours.raised}" border="1px solid ${colours.line}" border-radius="12px" padding="28px 0 12px"><mj-column>
<mj-text font-size="21px" line-height="28px"><h1 style="margin:0;font-size:21px;line-height:28px;font-weight:600">${title}</h1></mj-text>${body}</mj-column></mj-section></mj-wrapper>
${below && `<mj-section padding="12px"><mj-column css-class="quiet">${below}</mj-column></mj-section>`}</mj-body></mjml>`);
  if (made.type === 'error') throw new Error(`The email “${subject}” cannot be made: ${JSON.stringify(made)}`);
  return made.content;
}

const words = (markup: string) => `<mj-text>${markup}</mj-text>`;
const plain = (address: string, label: string) =>
  `<a class="plain" href="${escapeHtml(address)}" style="color:${colours.plum}">${escapeHtml(label)}</a>`;

function markupOf(part: Part, isMain: boolean): string {
  if (part.kind === 'words') return words(escapeHtml(part.words));
  if (part.kind === 'facts') return words(part.facts.map(escapeHtml).join('<br />'));
  if (part.kind === 'list')
    return part.lines.map((each) => words(`${escapeHtml(each.words)}<br />${plain(each.address, 'See it')}`)).join('');
  if (part.kind === 'code')
    return `<mj-text font-size="30px" line-height="40px" letter-spacing="6px" font-family="ui-monospace, Menlo, Consolas, monospace">${escapeHtml(part.code)}</mj-text>`;
  if (!isMain) return words(`${escapeHtml(part.words)} ${plain(part.address, part.label)}`);
  return `${words(escapeHtml(part.words))}<mj-button align="left" padding="0 28px 20px" inner-padding="13px 22px" font-size="16px" font-weight="600" border-radius="10px" background-color="${colours.plum}" color="${colours.onPlum}" href="${escapeHtml(part.address)}">${escapeHtml(part.label)}</mj-button>`;
}
