import { Button } from '@mantine/core'
import { ReadOnlyNote } from '../ui/allowed.tsx'
import { ConflictChoice } from '../ui/conflict-choice.tsx'
import { DangerRow, DangerZone, Section } from '../ui/sections.tsx'

export function States() {
  return (
    <Section title="Notes and questions">
      <ReadOnlyNote>Only administrators can change this page.</ReadOnlyNote>
      <ConflictChoice decide={() => undefined} />
      <DangerZone>
        <DangerRow title="Delete" action={<Button variant="default">Delete the object</Button>}>
          Its 1,204 records go to the trash for 30 days.
        </DangerRow>
      </DangerZone>
    </Section>
  )
}
