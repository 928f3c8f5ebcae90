// A share of amounts is relative to one currency, so the row needs a column with that currency.
import type { ResultColumn } from '../../../contract/reports.ts'
import { type Cell, textCell } from './cells.ts'
import type { PlannedMeasure } from './measures.ts'

export interface CurrencyColumn {
  column: ResultColumn
  cell: Cell
}

const KEY_CHARACTERS = 29

/** `share_currency`, or another unused key. */
function freeKey(key: string, taken: ReadonlySet<string>): string {
  const name = `${key.slice(0, KEY_CHARACTERS)}_currency`
  for (let number = 1; ; number++) {
    const found = number === 1 ? name : `${name}${number}`
    if (!taken.has(found)) return found
  }
}

/** A sum has an amount in every row; other measures may have none. */
const tellsCurrency = ({ op, column }: PlannedMeasure): boolean => op === 'sum' && column.type === 'currency'

function currencyColumn({ column }: PlannedMeasure, index: number, key: string): CurrencyColumn {
  const { attributeId } = column
  return {
    column: {
      ...{ key, label: `${column.label} (currency)`, type: 'text', role: 'dimension' },
      ...(attributeId !== undefined && { attributeId }),
    },
    cell: textCell(`c${index}`),
  }
}

/**
 * Sets the currency column of shares: the sum of the same amounts, or a new column.
 * @param taken keys of all columns
 */
export function nameCurrencies(
  measures: readonly PlannedMeasure[],
  taken: readonly string[],
): { measures: PlannedMeasure[]; columns: CurrencyColumn[] } {
  const keys = new Set(taken)
  const named = new Map<number, string>()
  for (const measure of measures)
    if (measure.currency && tellsCurrency(measure)) named.set(measure.currency.index, measure.column.key)
  const columns: CurrencyColumn[] = []
  const all = measures.map((measure) => {
    const { currency, op, column } = measure
    if (!currency || op !== 'percentage') return measure
    const currencyKey = named.get(currency.index) ?? freeKey(column.key, keys)
    if (!named.has(currency.index)) columns.push(currencyColumn(measure, currency.index, currencyKey))
    keys.add(currencyKey)
    named.set(currency.index, currencyKey)
    return { ...measure, column: { ...column, currencyKey } }
  })
  return { measures: all, columns }
}
