// The form of the selection, next to the steps or above them.
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Problem } from '../../../../contract/errors.ts'
import { capitalized } from '../../../shared/api/errors.ts'
import { type CrmObject, objectsQuery } from '../../../shared/api/objects.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { dashboardSpace } from '../../webhooks/api/webhook-space.ts'
import { endpointsQuery } from '../../webhooks/api/webhooks.ts'
import { sampleQuery, secretsQuery } from '../api/workflows.ts'
import { stepWords } from '../canvas/step-words.ts'
import { plainTemplates } from '../canvas/value-words.ts'
import { type FormContext, StepForm } from '../forms/step-form.tsx'
import { TriggerForm } from '../forms/trigger-form.tsx'
import { namesOf } from '../node-names.ts'
import { TRIGGERS } from '../trigger-words.ts'
import { replaceStep, typedPlace } from './editing.ts'
import { useEditor } from './editor-context.ts'
import { renameKey } from './edits.ts'
import { StepTest } from './step-test.tsx'
import { type StepPath, stepAt } from './step-tree.ts'
import { TRIGGER_STOP } from './travel.ts'

function useFormContext(objects: readonly CrmObject[]): FormContext {
  const org = useOrg()
  const { definition, problems, testing } = useEditor()
  const { data: secrets = [] } = useQuery(secretsQuery(org))
  // Refused if Svix manages endpoints: then there is nothing to choose from.
  const { data: endpoints = [] } = useQuery(endpointsQuery(dashboardSpace(org)))
  const { trigger, triggerConfig } = definition
  const { data: sample } = useQuery(sampleQuery(org, trigger, triggerConfig?.objectId || undefined))
  return {
    org,
    definition,
    objects,
    endpoints,
    secrets: secrets.map(({ name }) => name),
    trigger: (testing.isFresh ? testing.result?.answer.trigger : undefined) ?? sample?.trigger,
    outputs: testing.outputs,
    problems,
    isReadOnly: false,
  }
}

interface OneStepProps {
  path: StepPath
  context: FormContext
}

function OneStep({ path, context }: OneStepProps) {
  const { editInForm, definition } = useEditor()
  const step = stepAt(definition, path)
  if (!step) return null
  const { icon: Icon, title } = stepWords(step, namesOf(context.objects))
  return (
    <>
      <h2 className="row gap-8 breakable">
        <Icon size={16} aria-hidden className="muted" />
        {title}
      </h2>
      <StepForm
        path={path}
        step={step}
        context={context}
        onChange={(next) => {
          const typed = typedPlace(step, next)
          editInForm((before) => replaceStep(before, path, next), typed && `${path}.${typed}`)
        }}
        onRename={(key) => editInForm((before) => renameKey(before, path, key), `${path}.key`)}
      />
      <StepTest step={step} />
    </>
  )
}

/** Problems without a form field, such as a workflow without steps. */
const isElsewhere = ({ path }: Problem) => !/^(trigger|parameters|concurrency|allowReentry)/.test(path)

function OtherTrouble() {
  const problems = useEditor().problemsAt.get(TRIGGER_STOP)?.filter(isElsewhere) ?? []
  return problems.map(({ path, message }) => (
    <p key={`${path} ${message}`} className="danger small">
      {capitalized(plainTemplates(message))}
    </p>
  ))
}

function Trigger({ context }: { context: FormContext }) {
  const { editInForm, definition, selected } = useEditor()
  const { icon: Icon, title } = TRIGGERS[definition.trigger]
  return (
    <>
      <h2 className="row gap-8 breakable">
        <Icon size={16} aria-hidden className="muted" />
        {title}
      </h2>
      <OtherTrouble />
      <TriggerForm
        context={context}
        onChange={(next) => {
          editInForm(() => ({ definition: next, selected }), typedPlace(definition, next))
        }}
      />
    </>
  )
}

/** Mounts a new form for each step, so that text typed for one step does not appear in the next. */
export function StepPanel(): ReactNode {
  const { selected, definition, epoch } = useEditor()
  const { data: objects = [] } = useQuery(objectsQuery(useOrg()))
  const context = useFormContext(objects)
  const step = selected === undefined ? undefined : stepAt(definition, selected)
  return (
    <Stack gap={12} style={{ outline: 'none' }} data-editor-form tabIndex={-1}>
      {selected !== undefined && step ? (
        <OneStep key={`${epoch} ${selected}`} path={selected} context={context} />
      ) : (
        <Trigger key={epoch} context={context} />
      )}
    </Stack>
  )
}
