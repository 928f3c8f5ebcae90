// The problems of the current definition, requested when typing stops.
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Problem } from '../../../../contract/errors.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { checkDefinition, type WorkflowDefinition, workflowsKey } from '../api/workflows.ts'
import { stepOfProblem } from './step-tree.ts'
import { TRIGGER_STOP } from './travel.ts'

const TYPING_MS = 300
const NONE: readonly Problem[] = []

export function useProblems(definition: WorkflowDefinition): readonly Problem[] {
  const org = useOrg()
  const [settled] = useDebouncedValue(definition, TYPING_MS)
  const { data } = useQuery({
    queryKey: [...workflowsKey(org), 'check', settled],
    queryFn: ({ signal }) => checkDefinition(org, settled, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return data?.problems ?? NONE
}

/** Problems by path of the step. Problems outside of steps belong to the trigger. */
export function problemsByNode(
  definition: WorkflowDefinition,
  problems: readonly Problem[],
): ReadonlyMap<string, readonly Problem[]> {
  return Map.groupBy(problems, ({ path }) => stepOfProblem(definition, path) ?? TRIGGER_STOP)
}
