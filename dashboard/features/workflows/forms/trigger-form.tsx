// The form of a trigger: what starts the workflow, its parameters, and the concurrency of its runs.
import type { ReactNode } from 'react'
import type { WorkflowTrigger } from '../../../../contract/workflow-states.ts'
import type { WorkflowDefinition } from '../../../../contract/workflows.ts'
import { Select } from '../../../ui/select.tsx'
import { TRIGGERS } from '../trigger-words.ts'
import { useProblem } from './field-props.ts'
import { FilterField } from './filter-field.tsx'
import { type FormContext, PlaceContext, usePlaceOf } from './form-context.ts'
import { OtherProblems } from './other-problems.tsx'
import { ParameterRows } from './parameter-rows.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import { TriggerObject, WatchField } from './trigger-object.tsx'
import { TRIGGER_GROUPS, takes, withSetting, withTrigger } from './triggers.ts'
import { TurnFields } from './turn-fields.tsx'

export interface TriggerFormProps {
  context: FormContext
  onChange(definition: WorkflowDefinition): void
}

const KINDS = TRIGGER_GROUPS.map(({ group, items }) => ({
  group,
  items: items.map((trigger) => ({ value: trigger, label: TRIGGERS[trigger].title })),
}))

function KindField({ context: { definition }, onChange }: TriggerFormProps) {
  return (
    <Select
      label="Started by"
      data={KINDS}
      value={definition.trigger}
      allowDeselect={false}
      error={useProblem('trigger')}
      onChange={(trigger) => trigger && onChange(withTrigger(definition, trigger as WorkflowTrigger))}
    />
  )
}

const SHOWN = ['objectId', 'watch', 'filter', 'cron', 'timezone'].map((name) => `triggerConfig.${name}`)

function Settings({ context, onChange }: TriggerFormProps) {
  const { definition } = context
  const { filter, objectId = '' } = definition.triggerConfig ?? {}
  const asked = takes(definition.trigger)
  return (
    <>
      {asked.object && (
        <TriggerObject definition={definition} isRequired={asked.object === 'required'} onChange={onChange} />
      )}
      {asked.watch && <WatchField definition={definition} onChange={onChange} />}
      {asked.filter && (
        <FilterField
          label="Only where"
          value={filter}
          place="triggerConfig.filter"
          object={objectId}
          hasTemplates={false}
          onChange={(changed) => onChange(withSetting(definition, 'filter', changed as typeof filter))}
        />
      )}
      {asked.schedule && <ScheduleFields definition={definition} onChange={onChange} />}
      <OtherProblems place="triggerConfig" shown={SHOWN} />
    </>
  )
}

/** Reports each change immediately as the whole definition. */
export function TriggerForm({ context, onChange }: TriggerFormProps): ReactNode {
  const place = usePlaceOf(context, '')
  const { definition } = context
  return (
    <PlaceContext value={place}>
      <fieldset className="stack gap-16" disabled={context.isReadOnly} aria-label="Trigger">
        <KindField context={context} onChange={onChange} />
        <Settings context={context} onChange={onChange} />
        <ParameterRows definition={definition} onChange={onChange} />
        <TurnFields definition={definition} onChange={onChange} />
      </fieldset>
    </PlaceContext>
  )
}
