// JSON that JSON.stringify cannot write: texts put into it as they are, and changes at any place of a value.

/** A piece of JSON text, or of what pretends to be. */
class Raw {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

function writeJson(value: unknown): string {
  if (value instanceof Raw) return value.text
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}:${writeJson(inner)}`)
    .join(',')}}`
}

export interface Edit {
  /** Picks a place: counted through all places of the value, again from the start after the last. */
  place: number
  /** `alike`: by something of the same type, which the first checks let pass. */
  action: 'alike' | 'replace' | 'remove' | 'add' | 'wrap'
  /** The name of what is added. */
  key: string
  text: string
  alike: { string: string; number: string }
}

type Place = [holder: Record<string, unknown>, key: string]

const isHolder = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Raw)

function placesOf(holder: Record<string, unknown>): Place[] {
  return Object.entries(holder).flatMap(([key, inner]) => {
    const here: Place = [holder, key]
    return isHolder(inner) ? [here, ...placesOf(inner)] : [here]
  })
}

function alikeOf(there: unknown, { text, alike }: Edit): string {
  if (typeof there === 'string') return JSON.stringify(alike.string)
  if (typeof there === 'number') return alike.number
  if (typeof there === 'boolean') return String(!there)
  return text
}

function apply(root: { body: unknown }, edit: Edit): void {
  const { place, action, key, text } = edit
  const places = placesOf(root)
  const [holder, name] = places[place % places.length] ?? [root as Record<string, unknown>, 'body']
  const there = holder[name]
  if (action === 'alike' && !isHolder(there)) holder[name] = new Raw(alikeOf(there, edit))
  else if (action === 'remove' && !Array.isArray(holder) && holder !== root) delete holder[name]
  else if (action === 'wrap') holder[name] = [there]
  else if (action === 'add' && Array.isArray(there)) there.push(new Raw(text))
  // Defined, not assigned: a key such as __proto__ shall be a key like any other.
  else if (action === 'add' && isHolder(there))
    Object.defineProperty(there, key, {
      value: new Raw(text),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  else holder[name] = new Raw(text)
}

/** The value with the edits made, as JSON text. */
export function editJson(value: unknown, edits: readonly Edit[]): string {
  const root: { body: unknown } = { body: structuredClone(value) }
  for (const edit of edits) apply(root, edit)
  return writeJson(root.body)
}
