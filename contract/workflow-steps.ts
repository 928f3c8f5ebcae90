// The step types of workflows, one file for each. Validation, the API document and the dashboard's forms derive from
// them. Every string may contain {{templates}}; their results are checked when the step runs.
import { branch } from './workflow-steps/branch.ts'
import { condition } from './workflow-steps/condition.ts'
import { createActivity } from './workflow-steps/create-activity.ts'
import { createRecord } from './workflow-steps/create-record.ts'
import { delay } from './workflow-steps/delay.ts'
import { deleteRecord } from './workflow-steps/delete-record.ts'
import { fail } from './workflow-steps/fail.ts'
import type { StepContract } from './workflow-steps/fields.ts'
import { findRecords } from './workflow-steps/find-records.ts'
import { forEach } from './workflow-steps/for-each.ts'
import { getRecord } from './workflow-steps/get-record.ts'
import { httpRequest } from './workflow-steps/http-request.ts'
import { nextMember } from './workflow-steps/next-member.ts'
import { runReport } from './workflow-steps/run-report.ts'
import { sendEmail } from './workflow-steps/send-email.ts'
import { sendWebhook } from './workflow-steps/send-webhook.ts'
import { setVariables } from './workflow-steps/set-variables.ts'
import { stop } from './workflow-steps/stop.ts'
import { updateRecord } from './workflow-steps/update-record.ts'
import { upsertRecord } from './workflow-steps/upsert-record.ts'

const steps = {
  find_records: findRecords,
  get_record: getRecord,
  create_record: createRecord,
  update_record: updateRecord,
  upsert_record: upsertRecord,
  delete_record: deleteRecord,
  create_activity: createActivity,
  next_member: nextMember,
  condition,
  branch,
  for_each: forEach,
  delay,
  http_request: httpRequest,
  send_webhook: sendWebhook,
  run_report: runReport,
  send_email: sendEmail,
  set_variables: setVariables,
  stop,
  fail,
} satisfies Record<string, StepContract>

export type StepType = keyof typeof steps
export const STEP_CONTRACTS: Readonly<Record<StepType, StepContract>> = steps
export const STEP_TYPES = Object.keys(STEP_CONTRACTS) as StepType[]
export const isStepType = (type: string): type is StepType => Object.hasOwn(STEP_CONTRACTS, type)
