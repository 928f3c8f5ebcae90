// A progress bar, with an announcement for screen readers at every quarter.
import { Group, Progress } from '@mantine/core'
import type { Import } from '../api.ts'
import { announcement, doneOf, remaining, shareOf } from './progress.ts'

export function ImportProgress({ file, verb }: { file: Import; verb: string }) {
  const left = remaining(file)
  return (
    <div>
      <Group justify="space-between" mb={8} className="muted small">
        <span className="tabular">{doneOf(file)}</span>
        <span>{left}</span>
      </Group>
      <Progress value={shareOf(file) * 100} aria-label={verb} size="md" />
      <p role="status" className="visually-hidden">
        {announcement(verb, file)}
      </p>
    </div>
  )
}
