// Addresses of pages: each feature lists its own in its paths.ts. Those of records are here, for shared parts link to them.

/** `/o/acme/reports`: each part is encoded. */
export const address = (...parts: readonly string[]): string => `/${parts.map(encodeURIComponent).join('/')}`

export const recordPaths = {
  object: (org: string, object: string) => address('o', org, 'objects', object),
  trash: (org: string, object: string) => address('o', org, 'objects', object, 'trash'),
  duplicates: (org: string, object: string) => address('o', org, 'objects', object, 'duplicates'),
  record: (org: string, object: string, record: string) => address('o', org, 'objects', object, record),
} as const

/** Of a Link that opens the activity over the list. */
export const activityLink = (org: string, activity: string) => ({
  to: address('o', org, 'activities'),
  search: { activity } as never,
})
