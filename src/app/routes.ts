import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

/** Every page of the product. The catch-all must stay: without a matching route the shell cannot hydrate. */
export default [
  index('pages/home-page.tsx'),
  layout('pages/visitor-page.tsx', [
    route('/auth', '../features/accounts/pages/auth-page.tsx'),
    route('/signup', '../features/marketing/programme-page.tsx'),
    route('/free-join/:token', '../features/accounts/pages/invited-page.tsx'),
    route('/about', '../features/marketing/about-page.tsx'),
    route('/creator-safety', '../features/marketing/safety-page.tsx'),
    route('/onlyfans-alternative', '../features/marketing/alternative-page.tsx'),
    route('/comparison', '../features/marketing/comparison-page.tsx'),
    route('/diagram', '../features/marketing/diagram-page.tsx'),
    route('/contact', '../features/marketing/contact-page.tsx'),
    route('/report', '../features/marketing/report-page.tsx'),
    route('/privacy-policy', '../features/marketing/privacy-page.tsx'),
    route('/terms-of-use', '../features/marketing/terms-page.tsx'),
    route('/tip-success', '../features/viewing/tip-success-page.tsx'),
    route('/album-purchase-success', '../features/viewing/album-purchase-success-page.tsx'),
    route('/post-checkout', '../features/money/pages/post-checkout-page.tsx'),
    route('/my', '../features/viewing/my-page.tsx'),
    route('/find-my-purchases', '../features/viewing/find-purchases-page.tsx'),
    route('/receipt/:code', '../features/money/pages/receipt-page.tsx'),
    route('/acceptable-use', '../features/marketing/content-policy-page.tsx'),
    route('/dmca', '../features/marketing/dmca-page.tsx'),
    route('*', 'pages/not-found-page.tsx'),
  ]),
  layout('pages/public-page.tsx', [
    route('/pricing', '../features/marketing/pricing-page.tsx'),
    route('/help', '../features/marketing/help-page.tsx'),
  ]),
  route('/demo', '../features/marketing/demo-page.tsx'),
  route('/account/setup', '../features/accounts/pages/setup-page.tsx'),
  layout('pages/studio-page.tsx', [
    route('/albums', '../features/albums/pages/albums-page.tsx'),
    route('/albums/:albumId', '../features/links/pages/album-page.tsx', [
      index('../features/albums/pages/album-items-page.tsx'),
      route('links', '../features/links/pages/album-links-page.tsx'),
      route('settings', '../features/albums/pages/album-settings-page.tsx'),
      route('leaks', '../features/tracing/pages/leaks-page.tsx'),
      route('leaks/:traceId', '../features/tracing/pages/leak-page.tsx'),
    ]),
    route('/magic-links', '../features/links/pages/links-page.tsx'),
    route('/magic-links/:linkId', '../features/links/pages/link-page.tsx', [
      index('../features/insights/pages/link-visits-page.tsx'),
    ]),
    route('/analytics', '../features/insights/pages/analytics-page.tsx'),
    route('/subscription', '../features/money/pages/subscription-page.tsx'),
    route('/earnings', '../features/money/pages/earnings-page.tsx'),
    route('/account/payouts', '../features/money/pages/payouts-page.tsx'),
    route('/profile', '../features/accounts/pages/profile-page.tsx', [
      index('../features/accounts/pages/profile-details-page.tsx'),
      route('notifications', '../features/notices/pages/notifications-page.tsx'),
      route('app', '../features/accounts/pages/app-page.tsx'),
      route('security', '../features/accounts/pages/security-page.tsx', [
        index('../features/links/pages/lock-everything-page.tsx'),
      ]),
    ]),
  ]),
  layout('pages/session-page.tsx', [route('/account/billing', '../features/money/pages/billing-page.tsx')]),
  route('/dev/ui', 'pages/dev-ui-page.tsx'),
] satisfies RouteConfig;
