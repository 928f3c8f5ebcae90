// What each type of step asks of its config beyond its shape.
import type { StepType } from '../../../contract/workflow-steps.ts'
import { isEmail } from '../../records/values/text.ts'
import { branchesOf, ELSE } from '../interpreter/positions.ts'
import { isObject } from '../interpreter/values.ts'
import { isTimeZone, readDate } from '../interpreter/zones.ts'
import { checkCondition } from './condition-check.ts'
import {
  checkCreate,
  checkDelete,
  checkFind,
  checkGet,
  checkObject,
  checkRecordId,
  checkUpdate,
  checkUpsert,
  type StepCheck,
} from './record-checks.ts'
import { ROOTS } from './sight.ts'
import { isLiteral } from './template-check.ts'

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function checkActivity(check: StepCheck): void {
  const { config, path, report } = check
  for (const [index, link] of listOf(config['linkedRecords']).entries()) {
    if (!isObject(link)) continue
    const at = `${path}.linkedRecords[${index}]`
    if (isLiteral(link['objectId'])) checkObject(link['objectId'], `${at}.objectId`, check)
    checkRecordId(link['recordId'], `${at}.recordId`, report)
  }
  for (const [index, participant] of listOf(config['participants']).entries())
    if (isObject(participant)) checkRecordId(participant['id'], `${path}.participants[${index}].id`, report)
  const { activityDate } = config
  if (isLiteral(activityDate) && !readDate(activityDate))
    report.add(`${path}.activityDate`, 'invalid_date', 'must be a moment, such as 2026-11-20T10:00:00Z')
}

function checkBranches({ config, path, report }: StepCheck): void {
  const names = new Set<unknown>()
  for (const [index, branch] of branchesOf({ key: '', type: 'branch', config }).entries()) {
    const at = `${path}.branches[${index}]`
    const { name, when } = branch
    if (name === ELSE)
      report.add(`${at}.name`, 'reserved', 'must not be else: that is what is taken when none holds')
    else if (names.has(name)) report.add(`${at}.name`, 'duplicate', 'must not be the name of another branch')
    names.add(name)
    if (when !== undefined) checkCondition(when, `${at}.when`, report)
  }
}

function checkLoop({ config: { items, as }, path, report }: StepCheck): void {
  if (items === undefined || items === '' || items === null)
    report.add(`${path}.items`, 'required', 'is required: choose a list, such as the records of a step')
  else if (!Array.isArray(items) && (isLiteral(items) || typeof items !== 'string'))
    report.add(`${path}.items`, 'invalid_type', 'must be a list, such as {{steps.contacts.records}}')
  if (ROOTS.some((root) => root === as) || ['true', 'false', 'null'].includes(String(as)))
    report.add(`${path}.as`, 'reserved', `must not be ${String(as)}: that name has a meaning already`)
}

function delayForm({ seconds, until, timeOfDay }: StepCheck['config']): string | undefined {
  if (seconds !== undefined && (until !== undefined || timeOfDay !== undefined))
    return 'must be either a duration, or a date or time of day: remove one of them'
  return seconds === undefined && (until === undefined || until === '') && timeOfDay === undefined
    ? 'must be a duration, a date or a time of day: choose one'
    : undefined
}

function checkDelay({ config, path, report }: StepCheck): void {
  const form = delayForm(config)
  if (form) report.add(path, 'invalid_delay', form)
  const { until, timezone } = config
  if (isLiteral(until) && until !== '' && !readDate(until))
    report.add(
      `${path}.until`,
      'invalid_date',
      'must be a day, such as 2026-11-20, a moment, such as 2026-11-20T10:00:00Z, or a template',
    )
  if (isLiteral(timezone) && timezone !== '' && !isTimeZone(timezone))
    report.add(`${path}.timezone`, 'invalid_time_zone', 'must be a time zone, such as Europe/Berlin')
}

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/

function checkRequest({ config: { url, headers }, path, report }: StepCheck): void {
  const wrong = () =>
    report.add(`${path}.url`, 'invalid_url', 'must be an address that begins with https:// or http://')
  if (isLiteral(url)) {
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) wrong()
  } else if (typeof url === 'string' && !/^(?:\{\{|https?:\/\/)/.test(url)) wrong()
  if (!isObject(headers)) return
  for (const name of Object.keys(headers))
    if (!HEADER_NAME.test(name))
      report.add(
        `${path}.headers.${name}`,
        'invalid_header',
        'must be the name of a header, such as Authorization',
      )
}

function checkEmail({ config: { to }, path, report }: StepCheck) {
  const check = (address: unknown, at: string) => {
    if (isLiteral(address) && !isEmail(address))
      report.add(at, 'invalid_email', 'must be one e-mail address, such as ada@example.com, or a template')
  }
  if (!Array.isArray(to)) return check(to, `${path}.to`)
  for (const [index, address] of to.entries()) check(address, `${path}.to[${index}]`)
}

function checkWebhook({ config: { endpointId }, path, known, report }: StepCheck): void {
  if (isLiteral(endpointId) && !known.endpoints.includes(endpointId))
    report.add(`${path}.endpointId`, 'unknown_endpoint', 'there is no such endpoint: choose another')
}

function checkReport({ config: { reportId }, path, known, report }: StepCheck): void {
  if (isLiteral(reportId) && !known.reports.includes(reportId.toLowerCase()))
    report.add(`${path}.reportId`, 'unknown_report', 'there is no such report: choose another')
}

const VARIABLE = /^[A-Za-z][A-Za-z0-9_]{0,39}$/

function checkVariables({ config: { variables }, path, report }: StepCheck): void {
  if (!isObject(variables)) return
  for (const name of Object.keys(variables))
    if (!VARIABLE.test(name))
      report.add(
        `${path}.variables.${name}`,
        'pattern',
        'must be named with letters, digits and _, beginning with a letter',
      )
}

const NOTHING = () => {}

export const STEP_CHECKS: Readonly<Record<StepType, (check: StepCheck) => void>> = {
  find_records: checkFind,
  get_record: checkGet,
  create_record: checkCreate,
  update_record: checkUpdate,
  upsert_record: checkUpsert,
  delete_record: checkDelete,
  create_activity: checkActivity,
  condition: ({ config: { when }, path, report }) => {
    if (when !== undefined) checkCondition(when, `${path}.when`, report)
  },
  branch: checkBranches,
  for_each: checkLoop,
  delay: checkDelay,
  http_request: checkRequest,
  send_webhook: checkWebhook,
  run_report: checkReport,
  send_email: checkEmail,
  set_variables: checkVariables,
  stop: NOTHING,
  fail: NOTHING,
}
