// JSON that JSON.stringify cannot write: raw texts inside it, and edits at any place of a value.

/** A piece of text that is written into the JSON unchanged, valid or not. */
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
  /** The number of the location to edit, modulo the number of locations in the value. */
  index: number
  /** `alike`: replaces a value by one of the same type, which passes the first checks. */
  action: 'alike' | 'replace' | 'remove' | 'add' | 'wrap'
  /** The key of an added value. */
  key: string
  text: string
  alike: { string: string; number: string }
}

type JsonLocation = [holder: Record<string, unknown>, key: string]

const isHolder = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Raw)

function locationsOf(holder: Record<string, unknown>): JsonLocation[] {
  return Object.entries(holder).flatMap(([key, inner]) => {
    const here: JsonLocation = [holder, key]
    return isHolder(inner) ? [here, ...locationsOf(inner)] : [here]
  })
}

function alikeOf(there: unknown, { text, alike }: Edit): string {
  if (typeof there === 'string') return JSON.stringify(alike.string)
  if (typeof there === 'number') return alike.number
  if (typeof there === 'boolean') return String(!there)
  return text
}

function apply(root: { body: unknown }, edit: Edit): void {
  const { index, action, key, text } = edit
  const locations = locationsOf(root)
  const [holder, name] = locations[index % locations.length] ?? [root as Record<string, unknown>, 'body']
  const there = holder[name]
  if (action === 'alike' && !isHolder(there)) holder[name] = new Raw(alikeOf(there, edit))
  else if (action === 'remove' && !Array.isArray(holder) && holder !== root) delete holder[name]
  else if (action === 'wrap') holder[name] = [there]
  else if (action === 'add' && Array.isArray(there)) there.push(new Raw(text))
  // Defined, not assigned, so that a key such as __proto__ is an ordinary key.
  else if (action === 'add' && isHolder(there))
    Object.defineProperty(there, key, {
      value: new Raw(text),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  else holder[name] = new Raw(text)
}

export function editJson(value: unknown, edits: readonly Edit[]): string {
  const root: { body: unknown } = { body: structuredClone(value) }
  for (const edit of edits) apply(root, edit)
  return writeJson(root.body)
}
