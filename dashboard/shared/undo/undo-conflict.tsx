// A value that was not restored, because it was changed after the undone change. The user can choose to restore it.
import { Checkbox, Group, Text } from '@mantine/core'
import type { UndoConflict } from '../../../contract/undo.ts'
import { attributeWords } from '../api/attribute-words.ts'
import type { Attribute } from '../api/objects.ts'
import { isEmpty } from '../values/format.ts'
import { ValueView } from '../values/value-view.tsx'

interface ValueProps {
  attribute: Attribute | undefined
  value: unknown
}

function Value({ attribute, value }: ValueProps) {
  return attribute && !isEmpty(value) ? (
    <ValueView attribute={attribute} value={value} />
  ) : (
    <span className="muted">nothing</span>
  )
}

/** A value after its name, such as "Now: Analyst". */
export function UndoneValue({ name, ...value }: ValueProps & { name: string }) {
  return (
    <Group gap={6} className="small">
      <span className="muted">{name}</span>
      <Value {...value} />
    </Group>
  )
}

export function ValueStep({
  attribute,
  from,
  to,
}: {
  attribute: Attribute | undefined
  from: unknown
  to: unknown
}) {
  return (
    <Group gap={6}>
      <Value attribute={attribute} value={from} />
      <span className="muted">to</span>
      <Value attribute={attribute} value={to} />
    </Group>
  )
}

interface ConflictProps {
  attribute: Attribute | undefined
  conflict: UndoConflict
  isChosen: boolean
  onChoose(isChosen: boolean): void
}

export function Conflict({ attribute, conflict, isChosen, onChoose }: ConflictProps) {
  const words = attributeWords(conflict, attribute ? [attribute] : [])
  if (conflict.code !== 'value_changed') return <Text size="sm">{words}</Text>
  return (
    <Checkbox
      checked={isChosen}
      onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      label={`${attribute?.name ?? 'A value'} was changed since. Restore it anyway`}
      description={<ValueStep attribute={attribute} from={conflict.current} to={conflict.from} />}
    />
  )
}
