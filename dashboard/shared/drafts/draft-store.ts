// Unsaved form input, stored only in this tab. Each draft belongs to a user, an organization and a place. There are at
// most `DRAFTS_MAX` drafts of at most `CHARACTERS_MAX` characters each. Signing out deletes all drafts of the tab.
// Other tabs delete theirs when another user signs in there.

const PREFIX = 'rapport-draft '
const DRAFTS_MAX = 20
const CHARACTERS_MAX = 200_000

interface Stored {
  /** Time of the last write, in milliseconds. The oldest drafts are deleted first. */
  at: number
  /** The changed fields, by name. */
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

/** Deletes the oldest drafts until there is room for one more. */
function makeRoom(): void {
  const drafts = keys().filter((key) => key.startsWith(PREFIX))
  const byAge = drafts.toSorted((a, b) => (stored(a)?.at ?? 0) - (stored(b)?.at ?? 0))
  for (const key of byAge.slice(0, Math.max(0, drafts.length - DRAFTS_MAX + 1)))
    sessionStorage.removeItem(key)
}

/** Returns undefined if storage is off, full or has invalid content. */
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

/** Replaces the draft under the key. A draft without fields, or one that is too long, is not stored. */
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

/** Called on sign-out. */
export const forgetDrafts = (): void => forget(() => true)

/** Called on sign-in: the user's own drafts stay. */
export const forgetDraftsOfOthers = (userId: string): void =>
  forget((key) => !key.startsWith(`${PREFIX}${userId} `))
