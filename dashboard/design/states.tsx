import { Button } from '@mantine/core'
import { ReadOnlyNote } from '../ui/allowed.tsx'
import { ConflictChoice } from '../ui/conflict-choice.tsx'
import { Fact } from '../ui/fact.tsx'
import { DangerAction, DangerRow, DangerZone, Section } from '../ui/sections.tsx'

export function States() {
  return (
    <Section title="Notes and questions">
      <ReadOnlyNote>Only administrators can change this page.</ReadOnlyNote>
      <dl className="facts">
        <Fact name="Started">Yesterday</Fact>
        <Fact name="Took">4 seconds</Fact>
      </dl>
      <ConflictChoice decide={() => undefined} />
      <DangerZone>
        <DangerRow title="Deactivate" action={<Button variant="default">Deactivate</Button>}>
          Its records become read-only.
        </DangerRow>
        <DangerAction verb="Delete the object" ask={() => null}>
          Its 1,204 records go to the trash for 30 days.
        </DangerAction>
      </DangerZone>
    </Section>
  )
}
