// The form of a step: name, config, error handling, and its key, which users rarely change.
import type { ReactNode } from 'react'
import { STEP_CONTRACTS, type StepType } from '../../../../contract/workflow-steps.ts'
import type { WorkflowStep } from '../../../../contract/workflows.ts'
import { changeField } from '../editor/edits.ts'
import { stepAt } from '../editor/step-tree.ts'
import { DelayFields } from './delay-fields.tsx'
import { FailureFields, mayFail } from './failure-fields.tsx'
import { FieldList } from './fields.tsx'
import { type FormContext, PlaceContext, usePlaceOf } from './form-context.ts'
import { type FieldSchema, fieldsOf } from './form-fields.ts'
import { KeyField, NameField } from './name-fields.tsx'
import { OtherProblems } from './other-problems.tsx'

export type { FormContext }

export interface StepFormProps {
  /** Path of the step in the definition, such as `steps[1].config.branches[0].steps[0]`. */
  path: string
  step: WorkflowStep
  context: FormContext
  onChange(step: WorkflowStep): void
  onRename(key: string): void
}

type Config = WorkflowStep['config']

/** Types of steps with a special form for their config. */
const OWN_FIELDS: Partial<Record<StepType, typeof DelayFields>> = { delay: DelayFields }

function ConfigFields({ path, step, context, onChange }: Omit<StepFormProps, 'onRename'>) {
  const fields = fieldsOf(STEP_CONTRACTS[step.type].config as unknown as FieldSchema)
  const place = `${path}.config`
  const OwnFields = OWN_FIELDS[step.type]
  const set = (config: Config) => {
    if (step.type !== 'for_each' || config['as'] === step.config['as']) return onChange({ ...step, config })
    // Also renames the item in the inner steps.
    const { definition } = changeField(context.definition, path, 'as', config['as'])
    onChange(stepAt(definition, path) ?? { ...step, config })
  }
  const shown = fields.map(({ name }) => `${place}.${name}`)
  return (
    <>
      {OwnFields ? (
        <OwnFields fields={fields} config={step.config} place={place} onChange={set} />
      ) : (
        <FieldList fields={fields} values={step.config} place={place} onChange={set} />
      )}
      <OtherProblems place={place} shown={[...shown, `${place}.steps`, `${place}.else`]} />
    </>
  )
}

/** Reports each change immediately as the whole step. The key is reported separately, because other steps read it. */
export function StepForm({ path, step, context, onChange, onRename }: StepFormProps): ReactNode {
  const place = usePlaceOf(context, path)
  return (
    <PlaceContext value={place}>
      <fieldset
        // A new form for each step, so that typed text does not stay for the next one.
        key={`${path} ${step.type}`}
        className="stack gap-16"
        disabled={context.isReadOnly}
        aria-label="Step"
      >
        <NameField path={path} step={step} onChange={onChange} />
        <ConfigFields path={path} step={step} context={context} onChange={onChange} />
        {mayFail(step) && <FailureFields path={path} step={step} onChange={onChange} />}
        <KeyField path={path} step={step} onRename={onRename} />
      </fieldset>
    </PlaceContext>
  )
}
