// The name, icon and one-line summary of a step.
import { CircleHelp, type LucideIcon } from 'lucide-react'
import type { WorkflowStep } from '../../../../contract/workflows.ts'
import type { NameOf } from '../node-names.ts'
import { STEP_VIEWS } from '../steps/steps.ts'

export interface StepWords {
  icon: LucideIcon
  /** The custom name, else the name of the type. */
  title: string
  summary: string
}

export function stepWords({ type, name, config }: WorkflowStep, nameOf: NameOf): StepWords {
  const view = Object.hasOwn(STEP_VIEWS, type) ? STEP_VIEWS[type] : undefined
  if (!view) return { icon: CircleHelp, title: name || String(type), summary: 'Unknown step' }
  return { icon: view.icon, title: name || view.title, summary: view.summary(config ?? {}, nameOf) }
}
