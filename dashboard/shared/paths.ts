// Addresses of pages. Each feature lists its own in its paths.ts. Addresses of records are here because shared code
// links to them.

/** `/o/acme/reports`. Each part is URL-encoded. */
export const address = (...parts: readonly string[]): string => `/${parts.map(encodeURIComponent).join('/')}`

export const recordPaths = {
  object: (org: string, object: string) => address('o', org, 'objects', object),
  trash: (org: string, object: string) => address('o', org, 'objects', object, 'trash'),
  duplicates: (org: string, object: string) => address('o', org, 'objects', object, 'duplicates'),
  record: (org: string, object: string, record: string) => address('o', org, 'objects', object, record),
} as const

/** Link props that ask whether everything that a workflow run or an API key did in the last day is undone. */
export const undoLink = (
  org: string,
  source: { kind: 'workflowRun' | 'apiKey'; id: string; name: string },
) => ({
  to: address('o', org, 'settings', 'undo'),
  search: source as never,
})

/** Link props that open the activity next to the list. */
export const activityLink = (org: string, activity: string) => ({
  to: address('o', org, 'activities'),
  search: { activity } as never,
})
