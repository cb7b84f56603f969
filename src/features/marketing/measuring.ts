const tagHost = 'https://www.googletagmanager.com';

/** What the policy of a page must let through for it, and nothing else of Google's. */
export const measuringSources = {
  script: [tagHost],
  connect: ['https://*.google-analytics.com', 'https://*.analytics.google.com', 'https://*.googletagmanager.com'],
  img: ['https://*.google-analytics.com', 'https://*.googletagmanager.com'],
  trustedTypes: ['goog#html'],
} as const;

/**
 * The script that measures views of a page, with what it needs beforehand. Its program adds scripts by address: only those of its
 * own host are let through, and no text becomes HTML or code.
 * @param id which has been checked for its form
 */
export const writeMeasuring = (id: string): { link: string; script: string; tag: string } => ({
  link: `<link rel="preconnect" href="${tagHost}">`,
  script: [
    `window.trustedTypes?.createPolicy('default',{createScriptURL:(u)=>u.startsWith('${tagHost}/')?u:null,createHTML:()=>'',createScript:()=>''});`,
    'window.dataLayer=[];function gtag(){dataLayer.push(arguments)}',
    `gtag('js',new Date());gtag('config','${id}');`,
  ].join(''),
  tag: `<script async src="${tagHost}/gtag/js?id=${id}"></script>`,
});
