// Keeps the key of a list entry when a new activity gets its id from the service.
const provisionalIds = new Map<string, string>()

/** Records that the activity replaces the provisional one, so that an opened entry stays open. */
export const bornAs = (id: string, provisionalId: string): void => void provisionalIds.set(id, provisionalId)

/** The key is the same before and after the service has answered. */
export const entryKey = (id: string): string => provisionalIds.get(id) ?? id
