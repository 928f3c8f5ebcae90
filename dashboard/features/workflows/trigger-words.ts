// Describes the trigger of a workflow.
import {
  CalendarClock,
  CalendarDays,
  CircleMinus,
  CirclePlus,
  type LucideIcon,
  MousePointerClick,
  PencilLine,
} from 'lucide-react'
import { listFormat } from '../../../contract/language.ts'
import type { WorkflowTrigger } from '../../../contract/workflow-states.ts'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'
import { conditionWords, valueWords } from './canvas/value-words.ts'
import { cronWords } from './cron-words.ts'
import { type NameOf, oneOf, slugWords } from './node-names.ts'

export const TRIGGERS: Readonly<Record<WorkflowTrigger, { icon: LucideIcon; title: string }>> = {
  'record/created': { icon: CirclePlus, title: 'Record created' },
  'record/updated': { icon: PencilLine, title: 'Record updated' },
  'record/deleted': { icon: CircleMinus, title: 'Record deleted' },
  'activity/created': { icon: CalendarDays, title: 'Activity created' },
  'activity/updated': { icon: CalendarDays, title: 'Activity updated' },
  'activity/deleted': { icon: CalendarDays, title: 'Activity deleted' },
  schedule: { icon: CalendarClock, title: 'Schedule' },
  manual: { icon: MousePointerClick, title: 'Manual' },
}

type Config = NonNullable<WorkflowDefinition['triggerConfig']>
type Tree = { attributeSlug?: unknown; operator?: unknown; value?: unknown; and?: unknown }

const PAST = { created: 'is created', updated: 'is updated', deleted: 'is deleted' } as const

/** The condition of a filter that has only one; undefined for other filters. */
function onlyCondition(filter: Tree | undefined): Tree | undefined {
  if (!filter) return undefined
  const { and } = filter
  if (Array.isArray(and)) return and.length === 1 ? onlyCondition(and[0]) : undefined
  return 'attributeSlug' in filter ? filter : undefined
}

const or = listFormat({ type: 'disjunction' })

const where = (filter: unknown) => {
  const words = conditionWords(filter)
  return words ? ` where ${words}` : ''
}

function updatedWords(subject: string, { watch = [], filter }: Config): string {
  if (watch.length === 0) return `When ${subject} is updated${where(filter)}`
  const only = onlyCondition(filter)
  const changed = `When ${subject}’s ${or.format(watch.map(slugWords))} changes`
  const isReached = only?.operator === 'equals' && watch.length === 1 && only.attributeSlug === watch[0]
  return isReached ? `${changed} to ${valueWords(only.value)}` : `${changed}${where(filter)}`
}

function scheduleWords({ cron, timezone }: Config): string {
  if (!cron) return 'On a schedule'
  const words = cronWords(cron)
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${timezone ? ` (${timezone})` : ''}`
}

/** `When a deal’s stage changes to Won` */
export function triggerWords(
  { trigger, triggerConfig: config = {} }: Pick<WorkflowDefinition, 'trigger' | 'triggerConfig'>,
  nameOf: NameOf,
): string {
  const names = config.objectId === undefined ? undefined : nameOf(config.objectId)
  const noun = names?.singular ?? (config.objectId ? 'record of a missing object' : undefined)
  if (trigger === 'schedule') return scheduleWords(config)
  if (trigger === 'manual')
    return noun ? `When someone runs it on ${oneOf(noun)}` : 'When it is run manually or through the API'
  const [kind, change] = trigger.split('/') as ['record' | 'activity', keyof typeof PAST]
  if (kind === 'activity')
    return `When an activity${noun ? ` of ${oneOf(noun)}` : ''} ${PAST[change]}${where(config.filter)}`
  const subject = oneOf(noun ?? 'record')
  if (change === 'updated') return updatedWords(subject, config)
  return `When ${subject} ${PAST[change]}${where(config.filter)}`
}
