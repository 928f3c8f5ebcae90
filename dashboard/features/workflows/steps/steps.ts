// All types of steps, in the order of the list.
import type { StepType } from '../../../../contract/workflow-steps.ts'
import { branch } from './branch.ts'
import { condition } from './condition.ts'
import { createActivity } from './create-activity.ts'
import { createRecord } from './create-record.ts'
import { delay } from './delay.ts'
import { deleteRecord } from './delete-record.ts'
import { fail } from './fail.ts'
import { findRecords } from './find-records.ts'
import { forEach } from './for-each.ts'
import { getRecord } from './get-record.ts'
import { httpRequest } from './http-request.ts'
import { nextMember } from './next-member.ts'
import { runReport } from './run-report.ts'
import { sendEmail } from './send-email.ts'
import { sendWebhook } from './send-webhook.ts'
import { setVariables } from './set-variables.ts'
import type { StepView } from './step-view.ts'
import { stop } from './stop.ts'
import { updateRecord } from './update-record.ts'
import { upsertRecord } from './upsert-record.ts'

export const STEP_VIEWS: Readonly<Record<StepType, StepView>> = {
  find_records: findRecords,
  get_record: getRecord,
  create_record: createRecord,
  update_record: updateRecord,
  upsert_record: upsertRecord,
  delete_record: deleteRecord,
  create_activity: createActivity,
  next_member: nextMember,
  run_report: runReport,
  condition,
  branch,
  for_each: forEach,
  delay,
  set_variables: setVariables,
  stop,
  fail,
  send_email: sendEmail,
  send_webhook: sendWebhook,
  http_request: httpRequest,
}
