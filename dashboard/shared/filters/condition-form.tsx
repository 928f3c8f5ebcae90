// The form of a condition on one field: the operator, the operand and the button that applies it.
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { FilterOperator } from '../../../contract/operators.ts'
import { TakeLeft, useLeftText } from '../../ui/left-text.ts'
import { Select } from '../../ui/select.tsx'
import { useOpenList } from '../../ui/use-open-list.ts'
import type { Attribute } from '../api/objects.ts'
import type { Condition } from './filter.ts'
import { OperandEditor } from './operand-editor.tsx'
import { isReady } from './operand-faults.ts'
import { arityOf, isChosenFrom, isComplete } from './operands.ts'
import { OperatorSelect } from './operator-select.tsx'
import { isSpan, type SpanChoice, takesSpan } from './spans.ts'
import { type Comparing, withOperator } from './with-operator.ts'

interface ConditionFormProps<Leaf extends Comparing> {
  /** The field, in the form of an attribute. */
  attribute: Attribute
  /** The condition to change, or a new one. */
  condition: Leaf
  /** Name of the button. */
  submit: string
  /** The operators to choose from. By default, those of the type. */
  offered?: readonly FilterOperator[]
  /** The spans that dates can be compared with, such as the last 30 days. */
  spans?: readonly SpanChoice[]
  /**
   * Applies a choice from a list immediately, but not when the user only leaves the list. The operand gets the focus
   * instead of the operator.
   */
  appliesChoice?: boolean
  /** Offers the signed-in user as a member. */
  withMe?: boolean
  onApply(condition: Leaf): void
}

const EXACT = 'exact'

interface SpanSelectProps {
  spans: readonly SpanChoice[]
  value: unknown
  onChange(value: unknown): void
}

function SpanSelect({ spans, value, onChange }: SpanSelectProps) {
  return (
    <Select
      aria-label="When"
      data={[{ value: EXACT, label: 'A day' }, ...spans]}
      value={isSpan(value) ? value.relative : EXACT}
      allowDeselect={false}
      searchable
      onChange={(chosen) => chosen && onChange(chosen === EXACT ? '' : { relative: chosen })}
    />
  )
}

/** A span is removed if the operator compares only with days. */
const withoutSpan = <Leaf extends Comparing>(leaf: Leaf, operator: FilterOperator): Leaf =>
  isSpan(leaf.value) && !takesSpan(operator) ? { ...leaf, value: '' } : leaf

function useDraft<Leaf extends Comparing>(props: ConditionFormProps<Leaf>) {
  const { attribute, condition, appliesChoice = false, onApply } = props
  const [draft, setDraft] = useState(condition)
  const { isLeft, takeLeft } = useLeftText()
  const { operator } = draft
  // Values of definitions are not typed, so this asserts their type.
  const plain = { operator, value: (draft.value ?? '') as Condition['value'] }
  const isChosen = appliesChoice && isChosenFrom(attribute.type, operator)
  const hasSpan = isSpan(draft.value)
  return {
    ...{ draft, plain, isChosen, takeLeft, hasSpan },
    isReady: hasSpan || isReady(attribute, plain),
    setOperator: (next: FilterOperator) => {
      const kept = withoutSpan(draft, next)
      setDraft(isSpan(kept.value) ? { ...kept, operator: next } : withOperator(kept, next))
    },
    setValue: (value: unknown) => {
      const changed = { ...draft, value }
      setDraft(changed)
      const isDone = isChosen && isComplete({ operator, value: value as Condition['value'] })
      if (isDone && !isLeft()) onApply(changed)
    },
  }
}

export function ConditionForm<Leaf extends Comparing>(props: ConditionFormProps<Leaf>) {
  const { attribute, submit, offered, spans, appliesChoice = false, withMe, onApply } = props
  const { draft, plain, isChosen, hasSpan, isReady, ...act } = useDraft(props)
  const { operator } = draft
  const form = useOpenList<HTMLFormElement>()
  const isLast = appliesChoice && arityOf(operator) === 'nothing'
  return (
    <form
      ref={appliesChoice ? form : null}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) onApply(draft)
      }}
    >
      <Stack gap="xs">
        <Text fw={600} truncate>
          {attribute.name}
        </Text>
        <OperatorSelect
          {...{ attribute, offered, value: operator, onChange: act.setOperator }}
          isFirst={!appliesChoice}
        />
        {spans && attribute.type === 'date' && takesSpan(operator) && (
          <SpanSelect spans={spans} value={draft.value} onChange={act.setValue} />
        )}
        {!hasSpan && (
          <TakeLeft value={act.takeLeft}>
            <OperandEditor
              {...{ attribute, ...plain, onChange: act.setValue, withMe }}
              autoFocus={appliesChoice}
            />
          </TakeLeft>
        )}
        {(!isChosen || isReady) && (
          <Group justify="flex-end">
            <Button type="submit" disabled={!isReady} data-autofocus={isLast || undefined}>
              {submit}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
