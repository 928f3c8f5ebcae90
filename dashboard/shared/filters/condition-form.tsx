// The form of a condition on one attribute.
import { useState } from 'react'
import { TakeLeft, useLeftText } from '../../ui/left-text.ts'
import { useOpenList } from '../../ui/use-open-list.ts'
import type { Attribute } from '../api/objects.ts'
import { ConditionFrame } from './condition-frame.tsx'
import type { Condition } from './filter.ts'
import { OperandEditor } from './operand-editor.tsx'
import { isReady } from './operand-faults.ts'
import { firstOperand, isChosenFrom, isComplete } from './operands.ts'
import { firstOperator } from './operator-words.ts'
import { withOperator } from './with-operator.ts'

interface ConditionFormProps {
  attribute: Attribute
  /** The condition to change; undefined for a new one. */
  condition?: Condition | undefined
  onApply(condition: Condition): void
}

function begin({ slug, type }: Attribute): Condition {
  const operator = firstOperator(type)
  return { attributeSlug: slug, operator, value: firstOperand(operator) }
}

/** A choice from a list is applied immediately, but not when the user only leaves the list. */
export function ConditionForm({ attribute, condition, onApply }: ConditionFormProps) {
  const [draft, setDraft] = useState(() => condition ?? begin(attribute))
  const { isLeft, takeLeft } = useLeftText()
  const form = useOpenList<HTMLFormElement>()
  const { operator, value } = draft
  const isChosen = isChosenFrom(attribute.type, operator)
  const change = (operand: Condition['value']) => {
    const changed = { ...draft, value: operand }
    setDraft(changed)
    if (isChosen && isComplete(changed) && !isLeft()) onApply(changed)
  }
  return (
    <ConditionFrame
      ref={form}
      title={attribute.name}
      operators={{ attribute, value: operator, onChange: (next) => setDraft(withOperator(draft, next)) }}
      isReady={isReady(attribute, draft)}
      submit={condition ? 'Change filter' : 'Add filter'}
      hasSubmit={condition !== undefined || !isChosen || isReady(attribute, draft)}
      onSubmit={() => onApply(draft)}
    >
      <TakeLeft value={takeLeft}>
        <OperandEditor {...{ attribute, operator, value }} onChange={change} withMe autoFocus />
      </TakeLeft>
    </ConditionFrame>
  )
}
