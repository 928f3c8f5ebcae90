// The steps that can be added, in the order in which they are offered, and how they are found by typing.
import type { StepType } from '../../../../../contract/workflow-steps.ts'
import { STEP_KINDS } from '../canvas/step-words.ts'

export interface Shelf {
  title: string
  types: readonly StepType[]
}

export const SHELVES: readonly Shelf[] = [
  {
    title: 'Records',
    types: [
      'find_records',
      'get_record',
      'create_record',
      'update_record',
      'upsert_record',
      'delete_record',
      'create_activity',
      'run_report',
    ],
  },
  { title: 'Flow', types: ['condition', 'branch', 'for_each', 'delay', 'set_variables', 'stop', 'fail'] },
  { title: 'Send', types: ['send_email', 'send_webhook', 'http_request'] },
]

export const ABOUT: Readonly<Record<StepType, string>> = {
  find_records: 'Those of an object that a filter finds',
  get_record: 'One record, by its id',
  create_record: 'A new record of an object',
  update_record: 'Set values of a record',
  upsert_record: 'By an attribute that is unique',
  delete_record: 'With its values, for good',
  create_activity: 'A note, task, call or meeting',
  run_report: 'And hand its rows to later steps',
  condition: 'End here unless a condition holds',
  branch: 'A different way for each case',
  for_each: 'Repeat steps for each item of a list',
  delay: 'For a time, or until a moment',
  set_variables: 'Keep values for later steps',
  stop: 'End the run as completed',
  fail: 'End the run as failed, and say why',
  send_email: 'To one or more addresses',
  send_webhook: 'An event to an endpoint of yours',
  http_request: 'Call any service, with secrets',
}

/** Other words for the same thing. */
const ALSO: Partial<Record<StepType, string>> = {
  find_records: 'search list query',
  create_record: 'add new',
  update_record: 'set change edit',
  upsert_record: 'upsert save',
  delete_record: 'remove',
  create_activity: 'note task call meeting',
  run_report: 'chart sum total table',
  condition: 'if filter only gate',
  branch: 'if else split switch',
  for_each: 'loop repeat iterate',
  delay: 'wait sleep pause',
  set_variables: 'variable remember',
  stop: 'end',
  fail: 'error',
  send_email: 'mail message',
  send_webhook: 'event hook',
  http_request: 'api call fetch webhook url',
}

const textOf = (type: StepType) =>
  `${STEP_KINDS[type].title} ${ABOUT[type]} ${ALSO[type] ?? ''}`.toLowerCase()

/** How well it fits: its name begins so, a word of its name does, or something about it does. */
function rank(type: StepType, text: string): number {
  const title = STEP_KINDS[type].title.toLowerCase()
  if (title.startsWith(text)) return 0
  return ` ${title}`.includes(` ${text}`) ? 1 : 2
}

/** All of them on their shelves, or those that have every word that was typed, the best fit first. */
export function findSteps(typed: string): readonly Shelf[] {
  const text = typed.trim().toLowerCase()
  if (text === '') return SHELVES
  const words = text.split(/\s+/)
  const found = SHELVES.flatMap(({ types }) => types).filter((type) =>
    words.every((word) => ` ${textOf(type)}`.includes(` ${word}`)),
  )
  return found.length > 0
    ? [{ title: 'Found', types: found.sort((a, b) => rank(a, text) - rank(b, text)) }]
    : []
}
