// Where in a definition a problem is, in words.
import type { WorkflowDefinition, WorkflowStep } from '../api/workflows.ts'
import { childLists, rootList, type StepList } from '../canvas/lists.ts'
import { STEP_VIEWS } from '../steps/steps.ts'

/** The innermost step that the path leads to. */
function stepAt(list: StepList, path: string): { step: WorkflowStep; at: string } | undefined {
  for (const [index, step] of list.steps.entries()) {
    const at = `${list.path}[${index}]`
    if (path !== at && !path.startsWith(`${at}.`)) continue
    const inside = childLists(step, at, '').map((child) => stepAt(child, path))
    return inside.find((found) => found !== undefined) ?? { step, at }
  }
  return undefined
}

/** `Send email “weekly”`, `Trigger`, or nothing for what is about the whole. */
export function problemPlace({ steps }: Pick<WorkflowDefinition, 'steps'>, path: string): string | undefined {
  if (path.startsWith('trigger')) return 'Trigger'
  const found = stepAt(rootList(steps), path)
  if (!found) return path.startsWith('parameters') ? 'Parameters' : undefined
  const { type, name, key } = found.step
  return name || `${Object.hasOwn(STEP_VIEWS, type) ? STEP_VIEWS[type].title : type} “${key}”`
}

/** What the last part of a path is called: `steps[0].config.matchOn` → `match on`; undefined for a place in a list. */
export function problemField(path: string): string | undefined {
  const last = /\.([A-Za-z]+)$/.exec(path)?.[1]
  return last?.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)
}
