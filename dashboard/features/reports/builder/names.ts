// Generates names that a definition needs: aliases of objects and keys of columns.
import type { ReportDefinition } from '../../../../contract/reports.ts'

const LENGTH_MAX = 40

/** `Won amount` → `won_amount` */
function slugOf(text: string, otherwise: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, LENGTH_MAX)
  return plain === '' ? otherwise : plain
}

function free(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  for (let count = 2; ; count++) {
    const end = `_${count}`
    const numbered = `${name.slice(0, LENGTH_MAX - end.length)}${end}`
    if (!taken.has(numbered)) return numbered
  }
}

export const freeAlias = (text: string, taken: readonly string[]): string =>
  free(slugOf(text, 'object'), new Set(taken))

/** Every key of the definition. */
export const keysOf = ({ groupBy = [], measures = [], columns = [] }: Partial<ReportDefinition>): string[] =>
  [...groupBy, ...measures, ...columns].map(({ key }) => key)

export const freeKey = (definition: Partial<ReportDefinition>, text: string): string =>
  free(slugOf(text, 'value'), new Set(keysOf(definition)))
