// Pies and donuts, with a list of the parts, because slices have no space for names.
import { Box, Group, Text } from '@mantine/core'
import { Pie, PieChart, Tooltip } from 'recharts'
import { numberFormat } from '../../../../contract/language.ts'
import { addDecimals } from '../../../shared/values/decimals.ts'
import classes from './chart.module.css'
import { colorOf, Swatch, Tip } from './chart-parts.tsx'
import { amountOf, type Category, type Facet, type ShareDrawing } from './drawing.ts'
import { formatExact, formatShort } from './readings.ts'

interface ShareProps {
  type: ShareDrawing['type']
  facet: Facet
  label: string
  width: number
  height: number
}

const SIZE_MAX = 280
const SIZE_MIN = 110
const GAP_PX = 32
/** Approximate width of names and shares next to the chart, and of the amounts between them. */
const NAMES_PX = 160
const AMOUNTS_PX = 70
/** The chart's share of the height if the names are below it. */
const ABOVE_NAMES = 0.55

/** Leaves space for the names in small tiles too: next to the chart, or below a smaller chart. */
function sizeOf({ facet, width, height }: ShareProps): number {
  const names = NAMES_PX + (facet.unit.kind === 'percentage' ? 0 : AMOUNTS_PX)
  const room = width - GAP_PX - names
  return Math.min(SIZE_MAX, width, room >= SIZE_MIN ? Math.min(room, height) : height * ABOVE_NAMES)
}
const percent = numberFormat({ style: 'percent', maximumFractionDigits: 1 })

const shareOf = (category: Category, whole: number): string => percent.format(amountOf(category) / whole)

function Slices({ facet, whole }: { facet: Facet; whole: number }) {
  return (
    <ul className={classes.slices}>
      {facet.categories.map((category) => (
        <li key={category.key}>
          <Swatch color={category.color ?? 0} />
          <span className="truncate" title={category.label}>
            {category.label}
          </span>
          {/* For percentages, the value is the same as the share. */}
          <span className="muted tabular">
            {facet.unit.kind !== 'percentage' && formatExact(facet.unit, category.cells[0] ?? '0')}
          </span>
          <Text span ta="right" className="tabular">
            {shareOf(category, whole)}
          </Text>
        </li>
      ))}
    </ul>
  )
}

function tooltip({ categories, unit }: Facet, whole: number) {
  return (
    <Tooltip
      isAnimationActive={false}
      wrapperStyle={{ zIndex: 2 }}
      content={({ active, payload }) => {
        const slice = payload[0]?.payload as Category | undefined
        const category = categories.find(({ key }) => key === slice?.key)
        if (!active || !category) return null
        const text = `${formatExact(unit, category.cells[0] ?? '0')} (${shareOf(category, whole)})`
        const row = { key: category.key, color: category.color ?? 0, label: '', text }
        return <Tip title={category.label} rows={[row]} />
      }}
    />
  )
}

export function ShareChart(props: ShareProps) {
  const { type, facet, label } = props
  const { categories, unit, series } = facet
  const whole = categories.reduce((sum, category) => sum + amountOf(category), 0)
  const exact = categories.reduce((sum, { cells: [value] }) => addDecimals(sum, value ?? '0'), '0')
  const size = sizeOf(props)
  return (
    <Group gap="16px 32px">
      <Box pos="relative" className="fixed" w={size} h={size}>
        <PieChart
          width={size}
          height={size}
          role="application"
          aria-label={`${label}. The arrow keys go through its values`}
        >
          {tooltip(facet, whole)}
          <Pie
            data={categories.map((category) => ({ ...category, fill: colorOf(category.color ?? 0) }))}
            dataKey={(category: Category) => amountOf(category)}
            nameKey="label"
            startAngle={90}
            endAngle={-270}
            innerRadius={type === 'donut' ? '62%' : 0}
            outerRadius="98%"
            stroke="var(--surface)"
            strokeWidth={2}
            isAnimationActive={false}
          />
        </PieChart>
        {type === 'donut' && unit.kind !== 'percentage' && (
          <div className={classes.whole}>
            <strong title={formatExact(unit, exact)}>{formatShort(unit, whole)}</strong>
            {series[0]?.label}
          </div>
        )}
      </Box>
      <Slices facet={facet} whole={whole} />
    </Group>
  )
}
