// The workflow that runs a report automatically, made from the form of a schedule.
import type { WorkflowDefinition } from '../../workflows/api/workflows.ts'
import { cronOf, type Schedule } from '../../workflows/cron-presets.ts'
import { cronWords } from '../../workflows/cron-words.ts'

export interface Wanted {
  schedule: Schedule
  /** undefined: the current time zone of the organization. */
  timezone: string | undefined
  /** Email addresses; empty: the report only runs, and no email is sent. */
  to: readonly string[]
}

interface Scheduled {
  id: string
  name: string
  /** Address of the report's page. */
  url: string
}

/** Rows in the email. The run stores all rows. */
const MAIL_ROWS = 100
/** Email to more addresses needs several steps. */
const ADDRESSES_MAX = 10

/** Escapes `{{`, which would begin a template, also within a longer row of braces. */
const asText = (text: string) => text.replace(/\{(?=\{)/g, '{ ')

const slices = (to: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(to.length / ADDRESSES_MAX) }, (_, index) =>
    to.slice(index * ADDRESSES_MAX, (index + 1) * ADDRESSES_MAX),
  )

const mailSteps = ({ name, url }: Scheduled, to: readonly string[]) =>
  slices(to).map((addresses, index) => ({
    key: index === 0 ? 'mail' : `mail${index + 1}`,
    name: 'Send the results',
    type: 'send_email' as const,
    config: {
      to: addresses,
      subject: `${asText(name)}, {{now | date "D MMMM YYYY"}}`,
      text: `{{steps.report.text}}\n\n{{steps.report.resultCount}} rows. All of them, with the chart:\n${url}?run={{steps.report.runId}}`,
    },
  }))

/** `Pipeline by stage, every Monday at 09:00` */
export const scheduleName = ({ name }: Pick<Scheduled, 'name'>, { schedule }: Pick<Wanted, 'schedule'>) =>
  `${name}, ${cronWords(cronOf(schedule))}`.slice(0, 200)

export const scheduleWorkflow = (
  report: Scheduled,
  { schedule, timezone, to }: Wanted,
): WorkflowDefinition => ({
  trigger: 'schedule',
  triggerConfig: { cron: cronOf(schedule), ...(timezone !== undefined && { timezone }) },
  steps: [
    {
      key: 'report',
      name: 'Run the report',
      type: 'run_report',
      config: { reportId: report.id, rows: MAIL_ROWS },
    },
    ...mailSteps(report, to),
  ],
})
