// Renders the rows of a bench as a table, for the terminal and for docs/benchmarks.md.
import type { Row } from './figures.ts'

const COLUMNS = ['case', 'figure', 'unit', 'limit', 'ratio', 'target', 'met'] as const
const NUMERIC = new Set<string>(['figure', 'limit', 'ratio', 'target'])

const grouped = (value: number) => value.toLocaleString('en-US', { maximumSignificantDigits: 4 })

function cells({ case: name, figure, unit, limit, ratio, target, met }: Row): string[] {
  return [
    name,
    grouped(figure),
    unit,
    limit === null ? '' : grouped(limit),
    ratio?.toFixed(2) ?? '',
    target?.toFixed(2) ?? '',
    met === null ? '' : met ? 'yes' : 'NO',
  ]
}

/** A Markdown table whose columns are also aligned in a terminal. */
export function renderTable(rows: readonly Row[]): string {
  const lines = [[...COLUMNS], ...rows.map(cells)]
  const widths = COLUMNS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const aligned = (line: string[]) =>
    `| ${line.map((cell, column) => pad(cell, widths[column] ?? 0, COLUMNS[column] ?? '')).join(' | ')} |`
  const rule = `|${COLUMNS.map((name, column) => ruleOf(name, widths[column] ?? 0)).join('|')}|`
  const [head = [], ...body] = lines
  return [aligned(head), rule, ...body.map(aligned)].join('\n')
}

const pad = (cell: string, width: number, column: string) =>
  NUMERIC.has(column) ? cell.padStart(width) : cell.padEnd(width)

const ruleOf = (column: string, width: number) =>
  NUMERIC.has(column) ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2)
