// Chooses the object whose records start the workflow, and the watched attributes.
import type { WorkflowDefinition } from '../../../../contract/workflows.ts'
import { MultiPicker } from '../../../ui/multi-picker.tsx'
import { Select } from '../../../ui/select.tsx'
import { useProblem } from './field-props.ts'
import { useAttributes, useFormPlace } from './form-context.ts'
import { withObject, withSetting } from './triggers.ts'

interface DefinitionProps {
  definition: WorkflowDefinition
  onChange(definition: WorkflowDefinition): void
}

const optionalWords = (trigger: string) =>
  trigger === 'manual'
    ? { description: 'It then has a button on each of its records', placeholder: 'No record' }
    : { description: 'Only activities that are linked to one of its records', placeholder: 'Any activity' }

export function TriggerObject({
  definition,
  isRequired,
  onChange,
}: DefinitionProps & { isRequired: boolean }) {
  const { objects } = useFormPlace().context
  const ref = definition.triggerConfig?.objectId
  const chosen = objects.find(({ id, slug }) => id === ref || slug === ref)?.slug ?? ref
  const options = objects.map(({ slug, pluralName }) => ({ value: slug, label: pluralName }))
  const missing = chosen === undefined || options.some(({ value }) => value === chosen) ? [] : [chosen]
  return (
    <Select
      label="Object"
      {...(isRequired ? { placeholder: 'Choose an object' } : optionalWords(definition.trigger))}
      data={[...missing.map((value) => ({ value, label: value })), ...options]}
      value={chosen ?? null}
      required={isRequired}
      clearable={!isRequired}
      allowDeselect={false}
      searchable
      error={useProblem('triggerConfig.objectId')}
      onChange={(slug) => onChange(withObject(definition, slug ?? undefined))}
    />
  )
}

export function WatchField({ definition, onChange }: DefinitionProps) {
  const { objectId = '', watch = [] } = definition.triggerConfig ?? {}
  const options = useAttributes(objectId).map(({ slug, name }) => ({ value: slug, label: name }))
  const missing = watch.filter((slug) => !options.some(({ value }) => value === slug))
  return (
    <MultiPicker
      label="When one of these changes"
      data={[...options, ...missing.map((slug) => ({ value: slug, label: slug }))]}
      value={watch}
      placeholder={watch.length > 0 ? undefined : 'Any attribute'}
      searchable
      clearable
      error={useProblem('triggerConfig.watch')}
      onChange={(slugs) => onChange(withSetting(definition, 'watch', slugs.length > 0 ? slugs : undefined))}
    />
  )
}
