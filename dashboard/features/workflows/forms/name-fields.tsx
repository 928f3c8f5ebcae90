// The name of a step, and its key for templates.
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { WorkflowStep } from '../../../../contract/workflows.ts'
import { isFreeKey } from '../editor/edits.ts'
import { STEP_VIEWS } from '../steps/steps.ts'
import { useProblem } from './field-props.ts'
import { useFormPlace } from './form-context.ts'
import { withField } from './form-fields.ts'

interface NameFieldsProps {
  path: string
  step: WorkflowStep
  onChange(step: WorkflowStep): void
  onRename(key: string): void
}

/** The key is applied when the field loses the focus, because a partly typed key is valid too. */
export function KeyField({ path, step, onRename }: Omit<NameFieldsProps, 'onChange'>) {
  const { definition } = useFormPlace().context
  const [draft, setDraft] = useState<string>()
  const known = useProblem(`${path}.key`)
  const key = draft ?? step.key
  const isFree = isFreeKey(definition, path, key)
  const take = () => {
    if (!isFree) return
    setDraft(undefined)
    if (key !== step.key) onRename(key)
  }
  const refused = 'Letters, digits and _, beginning with a letter, and not the key of another step'
  return (
    <TextInput
      label="Key"
      description="Names its values in later steps"
      value={key}
      error={isFree ? known : refused}
      autoComplete="off"
      spellCheck={false}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take()
      }}
    />
  )
}

export function NameField({ path, step, onChange }: Omit<NameFieldsProps, 'onRename'>) {
  return (
    <TextInput
      label="Name"
      value={step.name ?? ''}
      placeholder={STEP_VIEWS[step.type].title}
      error={useProblem(`${path}.name`)}
      onChange={({ currentTarget }) =>
        onChange(withField({ ...step }, 'name', currentTarget.value || undefined) as WorkflowStep)
      }
    />
  )
}
