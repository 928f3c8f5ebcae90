// What was entered into forms and not saved, kept in this tab only. Each draft belongs to a user, an organization and
// a place; there are at most `DRAFTS_MAX` of at most `CHARACTERS_MAX` each. Signing out removes all of them, in other tabs
// as soon as another user signs in there.

const PREFIX = 'rapport-draft '
const DRAFTS_MAX = 20
const CHARACTERS_MAX = 200_000

interface Stored {
  /** When it was kept, in milliseconds: the oldest make room for others. */
  at: number
  /** Those that were changed, by name. */
  fields: object
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isStored = (value: unknown): value is Stored =>
  isObject(value) && typeof value['at'] === 'number' && isObject(value['fields'])

const keys = () =>
  Array.from({ length: sessionStorage.length }, (_, index) => sessionStorage.key(index) ?? '')

function stored(key: string): Stored | undefined {
  const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
  return isStored(value) ? value : undefined
}

/** Removes the oldest drafts until there is room for another. */
function makeRoom(): void {
  const drafts = keys().filter((key) => key.startsWith(PREFIX))
  const byAge = drafts.toSorted((a, b) => (stored(a)?.at ?? 0) - (stored(b)?.at ?? 0))
  for (const key of byAge.slice(0, Math.max(0, drafts.length - DRAFTS_MAX + 1)))
    sessionStorage.removeItem(key)
}

/** Runs without a draft where storage is switched off, full, or holds something else. */
function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

export const draftKey = (userId: string, organizationId: string, place: string): string =>
  `${PREFIX}${userId} ${organizationId} ${place}`

export const readDraft = (key: string): object | undefined => attempt(() => stored(key)?.fields)

const dropDraft = (key: string): void => attempt(() => sessionStorage.removeItem(key))

/** In place of what was kept under the key; nothing is kept of a draft without fields, or of one that is too long. */
export function writeDraft(key: string, fields: object): void {
  const text = JSON.stringify({ at: Date.now(), fields } satisfies Stored)
  dropDraft(key)
  if (Object.keys(fields).length === 0 || text.length > CHARACTERS_MAX) return
  attempt(() => {
    makeRoom()
    sessionStorage.setItem(key, text)
  })
}

const forget = (isForgotten: (key: string) => boolean): void =>
  attempt(() => {
    for (const key of keys()) if (key.startsWith(PREFIX) && isForgotten(key)) sessionStorage.removeItem(key)
  })

/** On signing out. */
export const forgetDrafts = (): void => forget(() => true)

/** Where the user goes on: one who signed in again keeps theirs. */
export const forgetDraftsOfOthers = (userId: string): void =>
  forget((key) => !key.startsWith(`${PREFIX}${userId} `))
