// Which entry of a list an activity is, from before the service gave it an id.
const provisionalIds = new Map<string, string>()

/** The activity takes the place of the provisional one: what was opened stays open. */
export const bornAs = (id: string, provisionalId: string): void => void provisionalIds.set(id, provisionalId)

/** The same before and after the service has answered. */
export const entryKey = (id: string): string => provisionalIds.get(id) ?? id
