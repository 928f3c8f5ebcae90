// The context of the forms: provided by the page, and read by every field.
import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Problem } from '../../../../contract/errors.ts'
import { STEP_CONTRACTS } from '../../../../contract/workflow-steps.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../../contract/workflows.ts'
import { type Attribute, type CrmObject, objectQuery } from '../../../shared/api/objects.ts'
import { useOrganization } from '../../../shared/use-organization.ts'
import { targetOf } from '../../../shared/values/attribute-config.ts'
import { requiredContext } from '../../../ui/required-context.ts'
import { stepAt } from '../editor/step-tree.ts'
import { namesOf } from '../node-names.ts'
import { STEP_VIEWS } from '../steps/steps.ts'
import { stepScopeOf } from './step-scope.ts'
import type { Scope } from './template-preview.ts'
import { scopeOf, type ValueGroup, valuesAt } from './visible-values.ts'

export interface FormContext {
  /** Slug of the organization. */
  org: string
  definition: WorkflowDefinition
  objects: readonly CrmObject[]
  endpoints: readonly { id: string; url: string }[]
  /** Names of secrets. */
  secrets: readonly string[]
  /** Example value of {{trigger}}, from GET /workflow-sample. */
  trigger: unknown
  /** Outputs of the last dry run by key of step. */
  outputs: Readonly<Record<string, unknown>>
  problems: readonly Problem[]
  isReadOnly: boolean
}

export interface FormPlace {
  context: FormContext
  /** Values that templates can read here, with examples; empty if templates are not allowed. */
  values: readonly ValueGroup[]
  scope: Scope
}

export const [PlaceContext, useFormPlace] = requiredContext<FormPlace>('form of a workflow')

const NO_ATTRIBUTES: readonly Attribute[] = []

/** The attributes of an object, empty until loaded. @param ref id or slug; '' or a template for none */
export function useAttributes(ref: string): readonly Attribute[] {
  const { context } = useFormPlace()
  const known = context.objects.find(({ id, slug }) => id === ref || slug === ref)
  const { data } = useQuery({ ...objectQuery(context.org, known?.slug ?? ''), enabled: known !== undefined })
  return data?.attributes ?? NO_ATTRIBUTES
}

type AttributesOf = (ref: string) => readonly Attribute[] | undefined

/** The attributes of all objects whose records the definition may read. */
function useAttributesOf({ org, objects }: FormContext, refs: readonly string[]): AttributesOf {
  const known = objects.filter(({ id, slug }) => refs.includes(id) || refs.includes(slug))
  return useQueries({
    queries: known.map(({ slug }) => objectQuery(org, slug)),
    combine: (found) => {
      const attributes = new Map(
        known
          .flatMap(({ id, slug }, index) => {
            const own = found[index]?.data?.attributes
            return own
              ? [
                  { id, own },
                  { id: slug, own },
                ]
              : []
          })
          .map(({ id, own }) => [id, own]),
      )
      return (ref: string) => attributes.get(ref)
    },
  })
}

const titleOf = ({ name, type, key }: WorkflowStep): string =>
  name || `${STEP_VIEWS[type]?.title ?? type} (${key})`

/** The values that a step can read. @param path of the step in the definition */
export function usePlaceOf(context: FormContext, path: string): FormPlace {
  const { definition, trigger, outputs, secrets } = context
  const { organization } = useOrganization()
  const sight = useMemo(() => stepScopeOf(definition, path), [definition, path])
  const refs = [definition.triggerConfig?.objectId, ...sight.steps.map(({ config }) => config['object'])]
  const ownOf = useAttributesOf(context, refs.map(String))
  // The objects that references of these objects point to.
  const led = refs.flatMap((ref) => (ownOf(String(ref)) ?? []).flatMap((one) => targetOf(one) ?? []))
  const attributesOf = useAttributesOf(context, [...refs.map(String), ...led])
  const step = stepAt(definition, path)
  const hasSecrets = step !== undefined && STEP_CONTRACTS[step.type]?.readsSecrets === true
  return useMemo(() => {
    const scope = scopeOf(sight, { trigger, outputs, organization })
    const nameOf = namesOf(context.objects)
    const nounOf = (ref: string) => nameOf(ref)?.singular
    const own = { titleOf, nounOf, secrets: hasSecrets ? secrets : [] }
    return { context, scope, values: valuesAt({ definition, sight, scope, attributesOf, ...own }) }
  }, [context, definition, sight, trigger, outputs, organization, attributesOf, hasSecrets, secrets])
}
