/** Parts of the product that help texts speak of and that this version may not have yet. */
export const features = [
  'tips',
  'payments',
  'plans',
  'accessRequests',
  'customRequests',
  'credits',
  'affiliates',
  'securityEvents',
  'dataExport',
  'push',
  'install',
  'demo',
  'diagram',
] as const;
export type Feature = (typeof features)[number];

/** The page that comes with a feature, where it has one of its own. */
export const featurePages: Partial<Record<Feature, string>> = {
  accessRequests: '/access-requests',
  tips: '/earnings',
  plans: '/subscription',
  customRequests: '/requests',
  dataExport: '/account/data',
  affiliates: '/account/affiliate',
  demo: '/demo',
  diagram: '/diagram',
};

/** What this version has of them: whoever brings a feature adds it here, and its texts are shown from then on. */
export const featuresHere: readonly Feature[] = [
  'accessRequests',
  'tips',
  'payments',
  'plans',
  'credits',
  'customRequests',
  'affiliates',
  'dataExport',
  'demo',
  'diagram',
  'install',
  'push',
];

const paidFeatures: readonly Feature[] = ['payments', 'plans', 'affiliates'];

/** Returns what an installation has of them: nobody takes a plan, or is paid, where nobody takes the payments. */
export const featuresOf = (sellsPlans: boolean): readonly Feature[] =>
  sellsPlans ? featuresHere : featuresHere.filter((feature) => !paidFeatures.includes(feature));
