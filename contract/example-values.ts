// Values that several examples of the API document share.

/** A UUID that ends with the number. */
export const exampleId = (last: number): string => `0198c0de-0000-7000-8000-${String(last).padStart(12, '0')}`

export const exampleTimes = { createdAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-20T10:00:00.000Z' }
export const exampleUser = { id: exampleId(7), name: 'Olivia Owner', email: 'olivia@example.com' }
export const examplePage = { total: 1, limit: 50, offset: 0 }
/** The pagination of a list that was requested without `limit`. */
export const exampleWhole = { total: 1, limit: 1, offset: 0 }
export const exampleDeleted = { id: exampleId(3), deleted: true }
/** The fields of an item in a trash. */
export const exampleDeletion = {
  deletedAt: '2026-11-20T10:00:00.000Z',
  deletedBy: { id: exampleId(12), name: 'Grace Hopper', email: 'grace@example.com' },
  purgeAt: '2026-12-20T10:00:00.000Z',
}
