// Splits changes, last first, into waves whose changes can be undone together. Pure.
import type { SourceChange } from './changes-store.ts'

/** Changes of one type, of different records of one object. */
export type Wave = readonly [SourceChange, ...SourceChange[]]

type Value = { from: unknown; to: unknown }

/** Values that may be unique, in lower case; a list gives one value per element. */
const valuesOf = (change: SourceChange, side: keyof Value): string[] =>
  Object.entries(change.changes ?? {}).flatMap(([slug, value]) =>
    [(value as Value)[side] ?? []]
      .flat()
      .map((one: unknown) => `${slug} ${JSON.stringify(one).toLowerCase()}`),
  )

const isOfKind = (a: SourceChange, b: SourceChange) => a.type === b.type && a.obj === b.obj

/**
 * If undoing a change restores a value that a later change gave to another record, the change belongs to a later wave:
 * undoing the later change frees the value first, even if it is unique.
 */
export function wavesOf(changes: readonly SourceChange[]): Wave[] {
  const waves: [SourceChange, ...SourceChange[]][] = []
  let records = new Set<string>()
  let given = new Set<string>()
  for (const change of changes) {
    const wave = waves.at(-1)
    const fits =
      wave !== undefined &&
      isOfKind(wave[0], change) &&
      !records.has(change.recordId) &&
      !valuesOf(change, 'from').some((value) => given.has(value))
    if (fits) wave.push(change)
    else {
      waves.push([change])
      records = new Set()
      given = new Set()
    }
    records.add(change.recordId)
    for (const value of valuesOf(change, 'to')) given.add(value)
  }
  return waves
}
