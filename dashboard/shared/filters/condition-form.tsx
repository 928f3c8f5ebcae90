// A condition on one attribute: the operator in plain words, and what it compares with.
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { FilterOperator } from '../../../contract/operators.ts'
import { TakeLeft, useLeftText } from '../../ui/left-text.ts'
import { Select } from '../../ui/select.tsx'
import { useOpenList } from '../../ui/use-open-list.ts'
import type { Attribute } from '../api/objects.ts'
import type { Condition } from './filter.ts'
import { OperandEditor } from './operand-editor.tsx'
import { conditionFault } from './operand-faults.ts'
import { arityOf, firstOperand, isChosenFrom, isComplete } from './operands.ts'
import { firstOperator, operatorsOf, operatorWords } from './operator-words.ts'
import { withOperator } from './with-operator.ts'

interface ConditionFormProps {
  attribute: Attribute
  /** The one to change; undefined for a new one. */
  condition?: Condition | undefined
  onApply(condition: Condition): void
}

function begin({ slug, type }: Attribute): Condition {
  const operator = firstOperator(type)
  return { attributeSlug: slug, operator, value: firstOperand(operator) }
}

/** The operators offered, and the one that is there when a link brought another. */
function choices(attribute: Attribute, current: FilterOperator) {
  const offered = operatorsOf(attribute.type)
  const all = offered.includes(current) ? offered : [...offered, current]
  return all.map((value) => ({ value, label: operatorWords(attribute, value) }))
}

/** What is chosen from a list is applied as soon as it is chosen, and not when the list is only left. */
function useCondition({ attribute, condition, onApply }: ConditionFormProps) {
  const [draft, setDraft] = useState(() => condition ?? begin(attribute))
  const { isLeft, takeLeft } = useLeftText()
  const isReady = isComplete(draft) && conditionFault(attribute, draft) === undefined
  const isChosen = isChosenFrom(attribute.type, draft.operator)
  const setValue = (value: Condition['value']) => {
    const changed = { ...draft, value }
    setDraft(changed)
    if (isChosen && isComplete(changed) && !isLeft()) onApply(changed)
  }
  return { draft, setDraft, setValue, takeLeft, isReady, isChosen }
}

export function ConditionForm(props: ConditionFormProps) {
  const { attribute, condition, onApply } = props
  const { draft, setDraft, setValue, takeLeft, isReady, isChosen } = useCondition(props)
  const form = useOpenList<HTMLFormElement>()
  const hasOperand = arityOf(draft.operator) !== 'nothing'
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) onApply(draft)
      }}
    >
      <Stack gap="xs">
        <Text fw={600} truncate>
          {attribute.name}
        </Text>
        <Select
          aria-label="Operator"
          data={choices(attribute, draft.operator)}
          value={draft.operator}
          onChange={(operator) => operator && setDraft(withOperator(draft, operator))}
        />
        <TakeLeft value={takeLeft}>
          <OperandEditor
            attribute={attribute}
            operator={draft.operator}
            value={draft.value}
            onChange={setValue}
            withMe
            autoFocus
          />
        </TakeLeft>
        {(condition !== undefined || !isChosen || isReady) && (
          <Group justify="flex-end">
            <Button type="submit" disabled={!isReady} data-autofocus={!hasOperand || undefined}>
              {condition ? 'Change filter' : 'Add filter'}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
