// Charts that are words and boxes: single numbers and funnels.
import classes from './chart.module.css'
import { type Facet, type Figure, NO_VALUE } from './drawing.ts'
import { funnelSteps } from './parts-of-whole.ts'
import { formatExact } from './readings.ts'

export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={classes.figures}>
      {figures.map(({ key, label, unit, value }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>{value === null ? NO_VALUE : formatExact(unit, value)}</dd>
        </div>
      ))}
    </dl>
  )
}

const percent = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })

export function Funnel({ facet, label }: { facet: Facet; label: string }) {
  const steps = funnelSteps(facet)
  return (
    <ol className={classes.funnel} aria-label={label}>
      {steps.map(({ key, label: name, value, width, conversion }, index) => (
        <li key={key}>
          {index > 0 && (
            <span className={classes.conversion}>
              {conversion === undefined
                ? `Nothing in ${steps[index - 1]?.label ?? ''} to compare with`
                : `${percent.format(conversion)}% of ${steps[index - 1]?.label ?? ''}`}
            </span>
          )}
          <span className="truncate" title={name}>
            {name}
          </span>
          <span className={classes.stepBar} aria-hidden>
            <span className={classes.stepFill} style={{ width: `${width * 100}%` }} />
          </span>
          <span className={classes.stepValue}>
            {value === null ? NO_VALUE : formatExact(facet.unit, value)}
          </span>
        </li>
      ))}
    </ol>
  )
}
