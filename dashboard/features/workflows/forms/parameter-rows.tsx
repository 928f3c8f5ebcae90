// The parameters of a workflow, whose values are entered for a manual run or sent through the API.
import { Box, Checkbox, SimpleGrid, TextInput } from '@mantine/core'
import { X } from 'lucide-react'
import { useState } from 'react'
import { PARAMETERS_MAX } from '../../../../contract/workflow-states.ts'
import type { WorkflowDefinition, WorkflowParameter } from '../../../../contract/workflows.ts'
import { RowsFieldset } from '../../../ui/rows-fieldset.tsx'
import { Select } from '../../../ui/select.tsx'
import { ParameterFields } from '../run/parameter-fields.tsx'
import { type Draft, dataOf, draftsOf } from '../run/parameters.ts'
import { useProblem } from './field-props.ts'
import { withField } from './form-fields.ts'
import { freeName } from './pairs.ts'
import { SmallButton } from './small-button.tsx'
import { withPart } from './triggers.ts'

interface ParameterRowsProps {
  definition: WorkflowDefinition
  onChange(definition: WorkflowDefinition): void
}

const TYPES: readonly { value: WorkflowParameter['type']; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'checkbox', label: 'Yes or no' },
  { value: 'date', label: 'Date' },
  { value: 'list', label: 'Text list' },
  { value: 'json', label: 'JSON' },
]

interface RowProps {
  parameter: WorkflowParameter
  number: number
  set(parameter: WorkflowParameter): void
}

/** The default value, with the same input as when starting a run. */
function DefaultField({ parameter, set }: Omit<RowProps, 'number'>) {
  const { name } = parameter
  const asked: WorkflowParameter = { ...parameter, label: 'Default', required: false }
  const [draft, setDraft] = useState<Draft | undefined>(() => draftsOf([asked])[name])
  const { errors } = dataOf([asked], draft === undefined ? {} : { [name]: draft })
  const change = (changed: Draft) => {
    setDraft(changed)
    const given = dataOf([asked], { [name]: changed })
    const value = changed === false ? undefined : given.data[name]
    if (!given.errors[name]) set(withField({ ...parameter }, 'default', value) as WorkflowParameter)
  }
  return (
    <ParameterFields
      parameters={[asked]}
      drafts={draft === undefined ? {} : { [name]: draft }}
      errors={errors}
      hasFocus={false}
      onChange={(_, changed) => change(changed)}
    />
  )
}

function NameAndType({ parameter, number, set }: RowProps) {
  return (
    <SimpleGrid cols={2} spacing={8}>
      <TextInput
        label="Name"
        value={parameter.name}
        required
        autoComplete="off"
        spellCheck={false}
        error={useProblem(`parameters[${number - 1}].name`)}
        onChange={({ currentTarget }) => set({ ...parameter, name: currentTarget.value })}
      />
      <Select
        label="Type"
        data={TYPES}
        value={parameter.type}
        allowDeselect={false}
        onChange={(type) => {
          // A default of the previous type is removed.
          const { default: _, ...others } = parameter
          if (type) set({ ...others, type })
        }}
      />
    </SimpleGrid>
  )
}

function ParameterBox({ parameter, number, set, onRemove }: RowProps & { onRemove(): void }) {
  const title = `Parameter ${number}`
  return (
    <fieldset className="stack gap-12 box" aria-label={title}>
      <div className="row between gap-4 medium">
        <span>{title}</span>
        <SmallButton icon={X} label={`Remove parameter ${number}`} onClick={onRemove} />
      </div>
      <NameAndType parameter={parameter} number={number} set={set} />
      <TextInput
        label="Label"
        placeholder={parameter.name}
        value={parameter.label ?? ''}
        onChange={({ currentTarget }) =>
          set(withField({ ...parameter }, 'label', currentTarget.value || undefined) as WorkflowParameter)
        }
      />
      <DefaultField key={parameter.type} parameter={parameter} set={set} />
      <Checkbox
        label="Required"
        checked={parameter.required ?? false}
        onChange={({ currentTarget }) =>
          set(
            withField({ ...parameter }, 'required', currentTarget.checked || undefined) as WorkflowParameter,
          )
        }
      />
    </fieldset>
  )
}

/** Used names, as keys of an object. */
const named = (parameters: readonly WorkflowParameter[]) =>
  Object.fromEntries(parameters.map(({ name }) => [name, true]))

export function ParameterRows({ definition, onChange }: ParameterRowsProps) {
  const { parameters = [] } = definition
  const set = (changed: WorkflowParameter[]) => onChange(withPart(definition, 'parameters', changed))
  const error = useProblem('parameters', true)
  return (
    <Box pt={16} style={{ borderTop: '1px solid var(--border)' }}>
      <RowsFieldset
        label="Parameters"
        description="Values given when it is run manually or through the API"
        error={error}
        noun="parameter"
        isFull={parameters.length >= PARAMETERS_MAX}
        onAdd={() => set([...parameters, { name: freeName(named(parameters), 'name'), type: 'text' }])}
      >
        {parameters.map((parameter, index) => (
          <ParameterBox
            // biome-ignore lint/suspicious/noArrayIndexKey: its name changes while one types it
            key={index}
            parameter={parameter}
            number={index + 1}
            set={(changed) => set(parameters.with(index, changed))}
            onRemove={() => set(parameters.toSpliced(index, 1))}
          />
        ))}
      </RowsFieldset>
    </Box>
  )
}
