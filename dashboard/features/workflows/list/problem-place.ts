// Describes the place of a problem in a definition.
import type { WorkflowDefinition, WorkflowStep } from '../api/workflows.ts'
import { childLists, rootList, type StepList } from '../canvas/lists.ts'
import { STEP_VIEWS } from '../steps/steps.ts'

/** The innermost step that contains the path. */
function stepAt(list: StepList, path: string): { step: WorkflowStep; at: string } | undefined {
  for (const [index, step] of list.steps.entries()) {
    const at = `${list.path}[${index}]`
    if (path !== at && !path.startsWith(`${at}.`)) continue
    const inside = childLists(step, at, '').map((child) => stepAt(child, path))
    return inside.find((found) => found !== undefined) ?? { step, at }
  }
  return undefined
}

/** `Send email “weekly”`, `Trigger`; undefined for the whole workflow. */
export function problemPlace({ steps }: Pick<WorkflowDefinition, 'steps'>, path: string): string | undefined {
  if (path.startsWith('trigger')) return 'Trigger'
  const found = stepAt(rootList(steps), path)
  if (!found) return path.startsWith('parameters') ? 'Parameters' : undefined
  const { type, name, key } = found.step
  return name || `${Object.hasOwn(STEP_VIEWS, type) ? STEP_VIEWS[type].title : type} “${key}”`
}

/** The name of the last part of a path: `steps[0].config.matchOn` → `match on`; undefined for a list item. */
export function problemField(path: string): string | undefined {
  const last = /\.([A-Za-z]+)$/.exec(path)?.[1]
  return last?.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)
}
