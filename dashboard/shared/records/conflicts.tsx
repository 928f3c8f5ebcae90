// Two people changed the same value. The dialog shows both values, and the later person decides.
import { SimpleGrid, Stack, Text } from '@mantine/core'
import { type Choice, ConflictChoice } from '../../ui/conflict-choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Attribute } from '../api/objects.ts'
import { isEmpty } from '../values/format.ts'
import { ValueView } from '../values/value-view.tsx'
import { useAsk } from './conflict-questions.tsx'

interface Values {
  mine: unknown
  theirs: unknown
}
interface Conflict extends Values {
  attribute: Attribute
  decide(choice: Choice): void
}

function Side({ title, attribute, value }: { title: string; attribute: Attribute; value: unknown }) {
  return (
    <div>
      <Text c="dimmed" size="xs">
        {title}
      </Text>
      {isEmpty(value) ? <Text c="dimmed">No value</Text> : <ValueView attribute={attribute} value={value} />}
    </div>
  )
}

function ConflictDialog({ attribute, mine, theirs, decide }: Conflict) {
  return (
    <Dialog onClose={() => decide('theirs')} title={`${attribute.name} was changed by someone else`}>
      <Stack>
        <Text>
          Another person changed {attribute.name} after you began to edit it. Which value do you want to keep?
        </Text>
        <SimpleGrid cols={2}>
          <Side title="Current" attribute={attribute} value={theirs} />
          <Side title="Yours" attribute={attribute} value={mine} />
        </SimpleGrid>
        <ConflictChoice decide={decide} />
      </Stack>
    </Dialog>
  )
}

/** Asks the user which of two values to keep. */
export function useConflicts(): (attribute: Attribute, values: Values) => Promise<Choice> {
  const ask = useAsk()
  return (attribute, values) =>
    ask((decide) => <ConflictDialog attribute={attribute} {...values} decide={decide} />)
}
