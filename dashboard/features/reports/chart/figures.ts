// The data of number charts and scatter charts.
import { formatCount } from '../../../../contract/counted.ts'
import type { ReportResults, ResultColumn } from '../../../../contract/reports.ts'
import { axesOf } from './axes.ts'
import { otherOf } from './cutting.ts'
import {
  COLORS_MAX,
  type Decimal,
  type Figure,
  type FigureDrawing,
  OTHER_COLOR,
  type PointDrawing,
  type PointFacet,
  Undrawable,
} from './drawing.ts'
import { type Asked, cutNotes } from './facets.ts'
import { colorSeries } from './option-colors.ts'
import { byUnit, combine } from './pivot.ts'
import {
  groupsOf,
  isNumeric,
  keyOf,
  labelOf,
  overlapNote,
  type Reading,
  type Row,
  readNumber,
  togetherOf,
  unitKey,
  unitName,
} from './readings.ts'

function figuresOf(column: ResultColumn, { definition, results }: Asked): Figure[] {
  const how = togetherOf(definition, column)
  const { label } = column
  const sums = byUnit(column, results.rows, (a, b) => {
    if (how !== 'none') return combine(how, a, b)
    throw new Undrawable(
      overlapNote([column]) ?? `${label} has several values: a single number needs a report without groups`,
    )
  })
  if (sums.length === 0) return [{ key: column.key, label, unit: { kind: 'number' }, value: null }]
  return sums.map(({ unit, value }) => ({
    key: `${column.key} ${unitKey(unit)}`,
    label: sums.length > 1 ? `${label}, ${unitName(unit)}` : label,
    unit,
    value,
  }))
}

/** @throws Undrawable */
export function figureDrawing(asked: Asked): FigureDrawing & { notes: readonly string[] } {
  const { y } = axesOf(asked.definition, asked.results)
  const isOfGroups = groupsOf(asked.results.columns).length > 0
  const together = isOfGroups && asked.results.rows.length > 1 ? ['All groups of the report combined.'] : []
  const notes = asked.results.truncated ? cutNotes(asked) : together
  return { kind: 'figures', figures: y.flatMap((column) => figuresOf(column, asked)), notes }
}

/** The number of points that can still be hovered individually. */
export const POINTS_MAX = 2000

interface PointAxes {
  x: ResultColumn
  y: ResultColumn
  series: ResultColumn | undefined
}

/** @throws Undrawable */
function pointAxes({ definition: { chart }, results: { columns } }: Asked): PointAxes {
  const numbers = columns.filter((column) => column.role !== 'dimension' && isNumeric(column))
  const byKey = (key: string | undefined) => columns.find((column) => column.key === key)
  const named = (chart?.y ?? []).flatMap((key) => numbers.find((column) => column.key === key) ?? [])
  const asked = byKey(chart?.x)
  const x =
    asked && isNumeric(asked) ? asked : named.length > 1 ? named[0] : numbers.find((one) => one !== named[0])
  const y = named.find((column) => column !== x) ?? numbers.find((column) => column !== x)
  if (!x || !y) throw new Undrawable('A scatter chart needs two numbers: add a second one to the report')
  return { x, y, series: byKey(chart?.series) }
}

const nameOf = (columns: ReportResults['columns'], row: Row): string =>
  columns
    .filter((column) => column.role === 'dimension' || (column.role === 'value' && !isNumeric(column)))
    .map((column) => labelOf(column, row[column.key]))
    .join(', ')

interface Group {
  label: string
  points: { label: string; x: Decimal; y: Decimal }[]
}

interface Gathered {
  x: Reading['unit']
  y: Reading['unit']
  groups: Map<string, Group>
}

function gather({ x, y, series }: PointAxes, { columns, rows }: Asked['results']): Map<string, Gathered> {
  const gathered = new Map<string, Gathered>()
  for (const row of rows.slice(0, POINTS_MAX)) {
    const [across, up] = [readNumber(x, row), readNumber(y, row)]
    if (!across || !up) continue
    const key = `${unitKey(across.unit)} ${unitKey(up.unit)}`
    const facet = gathered.get(key) ?? { x: across.unit, y: up.unit, groups: new Map<string, Group>() }
    gathered.set(key, facet)
    const groupKey = series ? keyOf(row[series.key]) : 'all'
    const label = series ? labelOf(series, row[series.key]) : y.label
    const group = facet.groups.get(groupKey) ?? { label, points: [] }
    facet.groups.set(groupKey, group)
    group.points.push({ label: nameOf(columns, row), x: across.value, y: up.value })
  }
  return gathered
}

function pointFacet(key: string, { x, y, groups }: Gathered, axes: PointAxes, count: number): PointFacet {
  const sorted = [...groups].toSorted(([, a], [, b]) => b.points.length - a.points.length)
  const shown = sorted
    .slice(0, COLORS_MAX)
    .map(([group, { label, points }], color) => ({ key: group, label, color, points }))
  const left = sorted.slice(COLORS_MAX)
  const points = left.flatMap(([, one]) => one.points)
  const other = { ...otherOf(left), color: OTHER_COLOR, points }
  const all = left.length > 0 ? [...shown, other] : shown
  const keys = all.map((one) => one.key)
  return {
    key,
    title: count > 1 ? [unitName(x), unitName(y)].filter(Boolean).join(', ') : '',
    x: { label: axes.x.label, unit: x },
    y: { label: axes.y.label, unit: y },
    series: colorSeries(all, keys, axes.series),
  }
}

/** @throws Undrawable */
export function pointDrawing(asked: Asked): PointDrawing & { notes: readonly string[] } {
  const axes = pointAxes(asked)
  const gathered = gather(axes, asked.results)
  if (gathered.size === 0) throw new Undrawable('No row has both numbers, so there are no points to show')
  const { length } = asked.results.rows
  const notes =
    length > POINTS_MAX
      ? [
          `The chart shows the first ${formatCount(POINTS_MAX)} of ${formatCount(length)} points; the table has all.`,
        ]
      : []
  const facets = [...gathered].map(([key, facet]) => pointFacet(key, facet, axes, gathered.size))
  return { kind: 'points', facets, notes }
}
