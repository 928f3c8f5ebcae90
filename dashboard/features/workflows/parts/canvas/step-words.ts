// What a step is called, its icon, and what it does in one line.
import {
  CalendarPlus,
  ChartColumn,
  CircleHelp,
  CircleStop,
  Clock,
  FileCheck2,
  FilePen,
  FilePlus2,
  FileSearch,
  FileX2,
  Filter,
  Globe,
  type LucideIcon,
  Mail,
  OctagonX,
  Repeat,
  Search,
  Split,
  Variable,
  Webhook,
} from 'lucide-react'
import type { StepType } from '../../../../../contract/workflow-steps.ts'
import type { WorkflowStep } from '../../../../../contract/workflows.ts'
import { type NameOf, oneOf, slugWords } from '../../node-names.ts'
import { conditionWords, valueWords } from './value-words.ts'

export const STEP_KINDS: Readonly<Record<StepType, { icon: LucideIcon; title: string }>> = {
  find_records: { icon: Search, title: 'Find records' },
  get_record: { icon: FileSearch, title: 'Get record' },
  create_record: { icon: FilePlus2, title: 'Create record' },
  update_record: { icon: FilePen, title: 'Update record' },
  upsert_record: { icon: FileCheck2, title: 'Create or update record' },
  delete_record: { icon: FileX2, title: 'Delete record' },
  create_activity: { icon: CalendarPlus, title: 'Create activity' },
  run_report: { icon: ChartColumn, title: 'Run report' },
  condition: { icon: Filter, title: 'Go on only if' },
  branch: { icon: Split, title: 'Branch' },
  for_each: { icon: Repeat, title: 'For each' },
  delay: { icon: Clock, title: 'Wait' },
  http_request: { icon: Globe, title: 'HTTP request' },
  send_webhook: { icon: Webhook, title: 'Send webhook event' },
  send_email: { icon: Mail, title: 'Send e-mail' },
  set_variables: { icon: Variable, title: 'Set variables' },
  stop: { icon: CircleStop, title: 'Stop' },
  fail: { icon: OctagonX, title: 'Fail' },
}

type Config = Readonly<Record<string, unknown>>

const and = new Intl.ListFormat('en', { type: 'conjunction' })
const or = new Intl.ListFormat('en', { type: 'disjunction' })
const NAMED_MAX = 3

const keysOf = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value) : [])

/** `name, amount and stage`; with more: `name, amount and 4 more` */
function namedKeys(value: unknown): string {
  const keys = keysOf(value).map(slugWords)
  if (keys.length <= NAMED_MAX) return and.format(keys)
  return and.format([...keys.slice(0, NAMED_MAX - 1), `${keys.length - NAMED_MAX + 1} more`])
}

const singular = (config: Config, nameOf: NameOf) => nameOf(String(config.object ?? ''))?.singular ?? 'record'
const plural = (config: Config, nameOf: NameOf) => nameOf(String(config.object ?? ''))?.plural ?? 'records'

/** `the deal`, or whose: `the company: the record’s company` */
function theRecord(config: Config, nameOf: NameOf): string {
  const noun = singular(config, nameOf)
  const id = String(config.recordId ?? '')
  if (id === '') return `the ${noun}`
  const words = valueWords(id)
  return words === 'the record' || words === 'a certain record'
    ? words.replace('record', noun)
    : `the ${noun}: ${words}`
}

function findWords(config: Config, nameOf: NameOf): string {
  const where = conditionWords(config.filter)
  const limit = typeof config.limit === 'number' ? config.limit : 20
  return `Find up to ${limit.toLocaleString()} ${plural(config, nameOf)}${where ? ` where ${where}` : ''}`
}

const withValues = (what: string, data: unknown) =>
  keysOf(data).length > 0 ? `${what} with ${namedKeys(data)}` : what

const UNITS = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** `1 day 12 hours` */
export function secondsWords(seconds: number): string {
  const parts: string[] = []
  let rest = Math.max(0, Math.round(seconds))
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? '' : 's'}`)
  }
  return parts.slice(0, 2).join(' ') || '0 seconds'
}

function delayWords({ seconds, until, timeOfDay }: Config): string {
  const at = timeOfDay === undefined ? '' : ` at ${String(timeOfDay)}`
  if (until !== undefined) return `Wait until ${valueWords(until)}${at}`
  if (typeof seconds === 'number') return `Wait ${secondsWords(seconds)}`
  return at ? `Wait until${at.replace(' at', '')}` : 'Wait'
}

function requestWords({ method = 'POST', url }: Config): string {
  const host = typeof url === 'string' ? URL.parse(url)?.host : undefined
  return `${String(method)} to ${host && !host.includes('{') ? host : valueWords(url)}`
}

function branchWords({ branches }: Config): string {
  const list = Array.isArray(branches) ? branches : []
  const [first] = list
  if (list.length === 1) return `If ${conditionWords(first?.when) || '…'}`
  return `${or.format(list.map((branch) => String(branch?.name ?? '…')))}, otherwise go on`
}

const quoted = (value: unknown) => `“${valueWords(value)}”`
const named = (value: unknown) => valueWords(value).slice(0, 1).toUpperCase() + valueWords(value).slice(1)

const SUMMARIES: Readonly<Record<StepType, (config: Config, nameOf: NameOf) => string>> = {
  find_records: findWords,
  get_record: (config, nameOf) => `Get ${theRecord(config, nameOf)}`,
  create_record: (config, nameOf) => withValues(`Create ${oneOf(singular(config, nameOf))}`, config.data),
  update_record: (config, nameOf) =>
    `Set ${namedKeys(config.data) || 'nothing'} of ${theRecord(config, nameOf)}`,
  upsert_record: (config, nameOf) =>
    `Create the ${singular(config, nameOf)}, or update the one with the same ${slugWords(String(config.matchOn ?? '…'))}`,
  delete_record: (config, nameOf) => `Delete ${theRecord(config, nameOf)}`,
  create_activity: ({ type = 'note', title }) => `Create ${oneOf(slugWords(String(type)))} ${quoted(title)}`,
  condition: ({ when }) => named(conditionWords(when) || '…'),
  branch: branchWords,
  for_each: ({ items, as }) => `For each ${String(as || 'item')} of ${valueWords(items)}`,
  delay: delayWords,
  http_request: requestWords,
  run_report: () => 'Run a report and hand on its rows',
  send_webhook: () => 'Send an event to a webhook endpoint',
  send_email: ({ to, subject }) => `Send ${quoted(subject)} to ${valueWords(to)}`,
  set_variables: ({ variables }) => `Set ${namedKeys(variables) || 'nothing'}`,
  stop: ({ message }) => (message ? named(message) : 'End the run here'),
  fail: ({ message }) => (message ? named(message) : 'End the run as failed'),
}

export interface StepWords {
  icon: LucideIcon
  /** The name people gave it, or what its type is called. */
  title: string
  /** `Find up to 50 people where company is the record’s company` */
  summary: string
}

export function stepWords({ type, name, config }: WorkflowStep, nameOf: NameOf): StepWords {
  const kind = Object.hasOwn(STEP_KINDS, type) ? STEP_KINDS[type] : undefined
  if (!kind) return { icon: CircleHelp, title: name || String(type), summary: 'This step is not known here' }
  return { icon: kind.icon, title: name || kind.title, summary: SUMMARIES[type](config ?? {}, nameOf) }
}
