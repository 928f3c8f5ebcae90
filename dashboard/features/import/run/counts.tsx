// The numbers of rows and records of an import.
import { formatCount } from '../../../../contract/counted.ts'
import classes from '../page/import.module.css'

export interface Count {
  label: string
  count: number
  tone?: 'bad'
}

export function Counts({ counts }: { counts: readonly Count[] }) {
  return (
    <dl className={classes.counts}>
      {counts.map(({ label, count, tone }) => (
        <div key={label}>
          <dt className="muted small">{label}</dt>
          <dd className={`title tabular ${count > 0 && tone === 'bad' ? 'danger' : ''}`}>
            {formatCount(count)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
