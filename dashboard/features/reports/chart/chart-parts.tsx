// Parts that charts of all types share: legend, tooltip, colors.
import { Box, Paper } from '@mantine/core'
import { OPTION_COLORS } from '../../../../contract/option-colors.ts'
import { fillOf } from '../../../ui/chip.tsx'
import classes from './chart.module.css'
import { type Category, type ChartColor, type Decimal, NO_VALUE, type Series, type Unit } from './drawing.ts'
import { formatExact } from './readings.ts'

export const colorOf = (color: ChartColor): string =>
  typeof color === 'number' ? `var(--series-${color})` : fillOf(OPTION_COLORS.indexOf(color))

export function Swatch({ color }: { color: ChartColor }) {
  return <Box component="span" className="fixed" w={10} h={10} bdrs={2} bg={colorOf(color)} aria-hidden />
}

/** Renders nothing for a single series, which the title names. */
export function Legend({ series }: { series: readonly Series[] }) {
  if (series.length < 2) return null
  return (
    <ul className={classes.legend}>
      {series.map(({ key, label, color }) => (
        <li key={key} className="row shrink gap-6">
          <Swatch color={color} />
          <span className="truncate" title={label}>
            {label}
          </span>
        </li>
      ))}
    </ul>
  )
}

interface TipRow {
  key: string
  color: ChartColor
  label: string
  text: string
}

/** Tooltip for the item under the pointer, with all digits. */
export function Tip({ title, rows }: { title: string; rows: readonly TipRow[] }) {
  return (
    <Paper className="bordered" shadow="md" maw={320} px={10} py={8} fz="xs">
      {title && <p className="breakable strong">{title}</p>}
      <dl className={classes.tip}>
        {rows.map(({ key, color, label, text }) => [
          <Swatch key={`${key} swatch`} color={color} />,
          <dt key={`${key} label`} className="truncate muted">
            {label}
          </dt>,
          <dd key={`${key} value`} className="tabular">
            {text}
          </dd>,
        ])}
      </dl>
    </Paper>
  )
}

const exact = (unit: Unit, value: Decimal | null): string =>
  value === null ? NO_VALUE : formatExact(unit, value)

interface CategoryTipProps {
  category: Category | undefined
  series: readonly Series[]
  unit: Unit
}

export function CategoryTip({ category, series, unit }: CategoryTipProps) {
  if (!category) return null
  const rows = series.map(({ key, color, label }, index) => ({
    key,
    color: category.color ?? color,
    label,
    text: exact(unit, category.cells[index] ?? null),
  }))
  // With many series, only those with a value other than 0 are shown.
  const said = rows.length > 3 ? rows.filter((_, index) => Number(category.cells[index] ?? 0) !== 0) : rows
  return <Tip title={category.label} rows={said.length > 0 ? said : rows.slice(0, 1)} />
}
