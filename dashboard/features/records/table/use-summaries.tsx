// The summaries of the columns of a view: exact for all matching records, and updated like the rows.
import { Menu } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { numberFormat } from '../../../../contract/language.ts'
import { formatMoney, formatNumber } from '../../../../contract/number-values.ts'
import type { Summary, SummaryQuery } from '../../../../contract/summaries.ts'
import { type SummaryKind, summariesOf } from '../../../../contract/summary-kinds.ts'
import { hasCode } from '../../../shared/api/errors.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { chosenColumns, type TableColumn, withColumn } from '../../../shared/table/columns.ts'
import type { Table } from '../../../shared/table/table-context.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { formatDay } from '../../../shared/values/format.ts'
import { lazy } from '../../../ui/lazy.ts'
import { summariesQuery } from '../api/record-sets.ts'
import type { ShownView } from '../view/use-view.ts'
import type { Rows } from './use-rows.ts'

const LABELS: Readonly<Record<SummaryKind, string>> = {
  sum: 'Sum',
  average: 'Average',
  min: 'Minimum',
  max: 'Maximum',
  filled: 'Filled',
  empty: 'Empty',
  checked: 'Checked',
}

const labelOf = ({ type }: Attribute, kind: SummaryKind) => {
  if (type !== 'date') return LABELS[kind]
  return kind === 'min' ? 'Earliest' : kind === 'max' ? 'Latest' : LABELS[kind]
}

const share = (part: number, of: number) =>
  numberFormat({ style: 'percent', maximumFractionDigits: 1 }).format(of === 0 ? 0 : part / of)

const rounded = lazy(() => numberFormat({ maximumFractionDigits: 4 }))

function textOf({ type }: Attribute, { summary, values }: Summary, count: number): string {
  const [first] = values
  if (!first) return 'none'
  if (summary === 'filled' || summary === 'empty' || summary === 'checked')
    return `${formatNumber(first.value)} (${share(Number(first.value), count)})`
  if (type === 'date') return formatDay(first.value)
  return values
    .map(({ currency, value }) =>
      currency !== null
        ? formatMoney({ amount: value, currency })
        : summary === 'average'
          ? rounded().format(value as unknown as number)
          : formatNumber(value),
    )
    .join(' + ')
}

const askedOf = (columns: readonly TableColumn[]): SummaryQuery['summaries'] =>
  columns.flatMap(({ attribute, slug, summary }) =>
    attribute && summary && summariesOf(attribute).includes(summary)
      ? [{ attributeSlug: slug, summary }]
      : [],
  )

/** The text of a cell without a summary. */
const failure = (error: unknown) =>
  hasCode(error, 'query_too_expensive') ? 'takes too long: use a filter' : 'not available'

/** @param all the columns of the view, including hidden ones */
export function useSummaries(
  { slug }: { slug: string },
  { view, rows, all }: { view: ShownView; rows: Rows; all: readonly TableColumn[] },
): Pick<Table, 'summaryOf' | 'summaryMenuOf'> {
  const summaries = askedOf(all.filter(({ isHidden }) => !isHidden))
  const { filter } = rows.shown
  const { data, error } = useQuery({
    ...summariesQuery(useOrg(), slug, { summaries, ...(filter && { filter }) }),
    enabled: summaries.length > 0,
    placeholderData: keepPreviousData,
  })
  const choose = (column: TableColumn, summary: SummaryKind | undefined) =>
    view.change({ columns: chosenColumns(withColumn(all, column.slug, { summary })) }, 'quietly')
  return {
    summaryOf({ attribute, slug: own, summary }) {
      if (!attribute || !summary || !summariesOf(attribute).includes(summary)) return undefined
      const found = data?.summaries.find((one) => one.attributeSlug === own && one.summary === summary)
      const text = found ? textOf(attribute, found, data?.count ?? 0) : undefined
      return { label: labelOf(attribute, summary), text: error ? failure(error) : (text ?? '…') }
    },
    summaryMenuOf(column) {
      const { attribute, summary } = column
      if (!attribute) return null
      return [...summariesOf(attribute), undefined].map((kind) => (
        <Menu.Item
          key={kind ?? 'none'}
          rightSection={kind === summary ? <Check size={14} aria-label="chosen" /> : undefined}
          onClick={() => choose(column, kind)}
        >
          {kind === undefined ? 'None' : labelOf(attribute, kind)}
        </Menu.Item>
      ))
    },
  }
}
