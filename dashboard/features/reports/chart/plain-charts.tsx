// Charts without the chart library: single numbers and funnels.
import { Box, Text } from '@mantine/core'
import { numberFormat } from '../../../../contract/language.ts'
import classes from './chart.module.css'
import { colorOf } from './chart-parts.tsx'
import { type Facet, type Figure, NO_VALUE } from './drawing.ts'
import { funnelSteps } from './parts-of-whole.ts'
import { formatExact } from './readings.ts'

export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={classes.figures}>
      {figures.map(({ key, label, unit, value }) => (
        <div key={key}>
          <dt className="muted small">{label}</dt>
          <dd className="strong tabular breakable">{value === null ? NO_VALUE : formatExact(unit, value)}</dd>
        </div>
      ))}
    </dl>
  )
}

const percent = numberFormat({ maximumFractionDigits: 1 })

export function Funnel({ facet, label }: { facet: Facet; label: string }) {
  const steps = funnelSteps(facet)
  return (
    <ol className={`${classes.funnel} small`} aria-label={label}>
      {steps.map(({ key, label: name, color, value, width, conversion }, index) => (
        <li key={key}>
          {index > 0 && (
            <Text span size="xs" c="dimmed" py={1} style={{ gridColumn: '2 / 4' }}>
              {conversion === undefined
                ? `Nothing in ${steps[index - 1]?.label ?? ''} to compare with`
                : `${percent.format(conversion)}% of ${steps[index - 1]?.label ?? ''}`}
            </Text>
          )}
          <span className="truncate" title={name}>
            {name}
          </span>
          <Box miw={2} h={28} w={`${width * 100}%`} bg={colorOf(color)} bdrs="sm" aria-hidden />
          <Text span fw={500} ta="right" className="tabular">
            {value === null ? NO_VALUE : formatExact(facet.unit, value)}
          </Text>
        </li>
      ))}
    </ol>
  )
}
