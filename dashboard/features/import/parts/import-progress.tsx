// A bar that says how far it is, to the eye and, now and then, to the ear.
import { Progress } from '@mantine/core'
import type { Import } from '../api.ts'
import classes from './import.module.css'
import { announcement, doneOf, remaining, shareOf } from './progress.ts'

export function ImportProgress({ file, verb }: { file: Import; verb: string }) {
  const left = remaining(file)
  return (
    <div>
      <div className={classes.progressText}>
        <span className="tabular">{doneOf(file)}</span>
        <span>{left}</span>
      </div>
      <Progress value={shareOf(file) * 100} aria-label={verb} size="md" />
      <p role="status" className="visually-hidden">
        {announcement(verb, file)}
      </p>
    </div>
  )
}
